// Pages that the host writes again and again. The first write to a protected page is a fault, and to protect
// it anew interrupts every processor that the process runs on: such a page is left unprotected, open, and
// compared at each look.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "interposer/shim/ranges/page_watch.h"

namespace wedjat::interposer {

class OpenPages {
 public:
  // The page was found written. Whether it was, time after time, while few others were.
  bool is_often_written(const std::byte* page) {
    auto place = std::ranges::find(last_, page, &Written::page);
    if (place == last_.end()) *--place = {page, 0};
    ++place->times;
    std::rotate(last_.begin(), place, place + 1);
    return last_.front().times >= kTimes;
  }

  const PageRuns& runs() const { return runs_; }  // in order
  void add(const std::byte* page) {
    pages_.push_back({page, 0});
    changed();
  }
  // Calls `is_same` for each: whether it holds what is known. Those that were not written in many looks are
  // not open any more, and returned.
  template <typename IsSame>
  std::vector<const std::byte*> close_idle(const IsSame& is_same) {
    std::vector<const std::byte*> idle;
    for (Page& one : pages_) {
      one.idle = is_same(one.page) ? one.idle + 1 : 0;
      if (one.idle >= kIdle) idle.push_back(one.page);
    }
    close_if([&](const std::byte* page) { return std::ranges::find(idle, page) != idle.end(); });
    return idle;
  }
  template <typename Which>
  void close_if(const Which& which) {
    if (std::erase_if(pages_, [&](const Page& one) { return which(one.page); }) != 0) changed();
  }

 private:
  static constexpr unsigned kTimes = 3, kIdle = 64;
  struct Written {
    const std::byte* page = nullptr;
    unsigned times = 0;
  };
  struct Page {
    const std::byte* page;
    unsigned idle;  // looks since it was written
  };

  void changed() {
    runs_.clear();
    for (const Page& one : pages_) runs_.emplace_back(one.page, one.page + kWatchedPage);
    std::ranges::sort(runs_);
  }

  std::array<Written, 4> last_{};  // the latest first
  std::vector<Page> pages_;
  PageRuns runs_;
};

}  // namespace wedjat::interposer
