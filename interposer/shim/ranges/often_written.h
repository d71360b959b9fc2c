// Pages that the host writes again and again. The first write to a protected page is a fault, and to protect
// it anew interrupts every processor that the process runs on: such a page is better compared at each look.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace wedjat::interposer {

class OftenWritten {
 public:
  // The page was found written. Whether it was, time after time, while few others were.
  bool again(const std::byte* page) {
    auto place = std::ranges::find(last_, page, &Written::page);
    if (place == last_.end()) *--place = {page, 0};
    ++place->times;
    std::rotate(last_.begin(), place, place + 1);
    return last_.front().times >= kTimes;
  }

 private:
  static constexpr unsigned kTimes = 3;
  struct Written {
    const std::byte* page = nullptr;
    unsigned times = 0;
  };
  std::array<Written, 4> last_{};  // the latest first
};

}  // namespace wedjat::interposer
