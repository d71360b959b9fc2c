// Accesses that shadow cells remember, each once: a cell names them by number.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "clocks.hpp"

namespace race_check {

/// What the lanes of one warp access, or more of them between the same barriers, have in common.
struct Record {
  Actor actor = nobody;
  std::uint32_t clock = 0, epoch = 0;
  std::uint32_t site = 0;  // index of the instruction in RaceCheck::sites
  std::uint32_t launch = 0;
  std::uint32_t older = 0;  // an access of the same kind that this one does not stand for; 0: none
  std::uint8_t scope = 0;   // wedjat_access.scope if it is strong, else 0
  bool operator==(const Record&) const = default;
};
static_assert(sizeof(Record) == 32);

class Records {
 public:
  const Record& operator[](std::uint32_t number) const { return all_[number]; }
  std::uint32_t add(const Record& record) {
    all_.push_back(record);
    return static_cast<std::uint32_t>(all_.size() - 1);
  }
  void clear() { all_.resize(1); }
  /// One more than the greatest number.
  std::uint32_t count() const { return static_cast<std::uint32_t>(all_.size()); }

  /// `visits` calls what it is given for every number (by reference) that some cell holds; those that none
  /// holds are forgotten, the others change.
  template <class Visits>
  void collect(Visits visits) {
    std::vector<std::uint32_t> number(all_.size());
    std::size_t cells = 0;
    visits([&](std::uint32_t& held) {
      number[held] = 1;
      ++cells;
    });
    for (std::size_t i = all_.size(); i-- > 1;)  // older ones have smaller numbers
      if (number[i] != 0) number[all_[i].older] = 1;
    std::uint32_t kept = 1;
    number[0] = 0;
    for (std::size_t i = 1; i < all_.size(); ++i) {
      if (number[i] == 0) continue;
      number[i] = kept;
      all_[kept] = all_[i];
      all_[kept++].older = number[all_[i].older];
    }
    visits([&](std::uint32_t& held) { held = number[held]; });
    all_.resize(kept);
    most_ = std::max({least, 2 * std::size_t{kept}, cells / cells_a_record});
  }
  bool is_full() const { return all_.size() >= most_; }

 private:
  // They stay in the caches, where memory is small; where it is large, looking through its cells must be
  // rare.
  static constexpr std::size_t least = 1 << 15, cells_a_record = 16;
  std::vector<Record> all_{1};  // 0: nobody
  std::size_t most_ = least;    // until the next look for those no longer held
};

}  // namespace race_check
