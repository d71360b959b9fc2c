// What the CTAs of several host threads did to global memory in one launch becomes what one thread would
// remember of it. Its CTAs had nothing to do with each other, so two of them have only readings in common.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "places.hpp"

namespace race_check {

/// The places of one thread, to which those of another are added.
class Join {
 public:
  Join(Records& records, const Records& from) : records_(records), number_(from.count()) {
    for (std::uint32_t i = 1; i < from.count(); ++i) {  // older ones come first
      Record record = from[i];
      record.older = number_[record.older];
      number_[i] = records.add(record);
    }
  }
  void add(Shadow& to, Shadow& from) {
    from.each_page([&](std::uint64_t number, Page& page) {
      for (unsigned at = 0; at < page_cells; ++at) {
        const Cell theirs{&page, at}, mine = to.word(number * page_cells + at);
        if (!page.parted[at] && !mine.page->parted[at]) {
          add(mine, theirs);
          continue;
        }
        for (unsigned byte = 0; byte < 4; ++byte)
          add(Shadow::byte(mine, byte), page.parted[at] ? Shadow::byte(theirs, byte) : theirs);
      }
    });
  }

 private:
  void add(const Cell& mine, const Cell& theirs) {
    for (Last Page::*last : {&Page::write, &Page::strong_write, &Page::read}) {
      Last& to = mine.page->*last;
      const Last& from = theirs.page->*last;
      const std::uint32_t added = number_[from.record[theirs.at]];
      if (added == 0) continue;
      std::uint32_t& here = to.record[mine.at];
      const bool is_newer = here == 0 || records_[here].actor < records_[added].actor;
      here = here == 0 ? added : both(here, added);
      if (is_newer) to.lane[mine.at] = from.lane[theirs.at], to.other[mine.at] = from.other[theirs.at];
    }
  }
  // As one thread remembers what CTAs did one after another: the last one, and the first of the others.
  std::uint32_t both(std::uint32_t a, std::uint32_t b) {
    if (const std::pair asked(a, b); asked_ == asked)
      return answer_;
    else
      asked_ = asked;
    std::vector<std::uint32_t> all;
    for (const std::uint32_t first : {a, b})
      for (std::uint32_t i = first; i != 0; i = records_[i].older) all.push_back(i);
    std::ranges::sort(all, {}, [&](std::uint32_t i) { return records_[i].actor; });
    if (all.size() > most_global) all.erase(all.begin() + most_global - 1, all.end() - 1);
    answer_ = 0;
    for (const std::uint32_t i : all) {
      Record record = records_[i];
      record.older = std::exchange(answer_, 0);
      answer_ = records_.add(record);
    }
    return answer_;
  }

  Records& records_;
  std::vector<std::uint32_t> number_;  // in records_, by number of the other thread
  std::pair<std::uint32_t, std::uint32_t> asked_;
  std::uint32_t answer_ = 0;
};

inline void join(Places& to, Places& from) {
  Join(to.records, from.records).add(to.global, from.global);
  from.global.clear();
  from.records.clear();
}

}  // namespace race_check
