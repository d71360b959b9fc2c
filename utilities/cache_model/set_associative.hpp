// One cache: sets of ways, the least recently used way is replaced.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace cache_model {

class SetAssociative {
 public:
  SetAssociative(std::uint64_t sets, std::uint64_t ways) : sets_(sets), ways_(ways), lines_(sets * ways) {}

  struct Result {
    bool hit = false, wrote_back = false;
  };
  /// Looks for a line; puts it in if it is not there and `allocates`. `writes`: it is dirty from now on.
  Result access(std::uint64_t line, bool allocates, bool writes) {
    Way* const set = lines_.data() + line % sets_ * ways_;
    Way* oldest = set;
    for (Way* way = set; way != set + ways_; ++way) {
      if (way->used != 0 && way->line == line) {
        way->used = ++clock_;
        way->dirty = way->dirty || writes;
        return {true, false};
      }
      if (way->used < oldest->used) oldest = way;
    }
    if (!allocates) return {};
    const bool wrote_back = oldest->used != 0 && oldest->dirty;
    *oldest = {line, ++clock_, writes};
    return {false, wrote_back};
  }
  void drop(std::uint64_t line) {
    for (std::uint64_t w = 0; w < ways_; ++w)
      if (Way& way = lines_[line % sets_ * ways_ + w]; way.line == line) way = {};
  }
  void clear() { std::ranges::fill(lines_, Way{}); }

 private:
  struct Way {
    std::uint64_t line = 0, used = 0;  // used: when last; 0: it holds nothing
    bool dirty = false;
  };
  std::uint64_t sets_, ways_, clock_ = 0;
  std::vector<Way> lines_;
};

}  // namespace cache_model
