// How long looking at all memory that both sides see may take: at first freely, then a part of the time that
// passes. What a look will take is judged by what looks took before.
#pragma once

#include <chrono>
#include <cstddef>

namespace wedjat::interposer {

class LookBudget {
 public:
  using Clock = std::chrono::steady_clock;

  // Whether so many bytes may be looked at.
  bool allows(std::size_t bytes) const {
    if (spent_ == Clock::duration::zero()) return true;
    const auto then = spent_ + std::chrono::duration_cast<Clock::duration>(per_byte_ * bytes);
    return then < kFree || then < (Clock::now() - start_) / kPart;
  }
  // So long it took to look at so many bytes, be it for the budget or because it had to be.
  void measured(std::size_t bytes, Clock::duration time) {
    constexpr std::size_t telling = 1 << 16;
    if (bytes >= telling) per_byte_ = std::chrono::duration<double>(time) / static_cast<double>(bytes);
  }
  void spent(Clock::duration time) { spent_ += time; }

 private:
  static constexpr auto kFree = std::chrono::milliseconds(2);
  static constexpr int kPart = 32;
  Clock::time_point start_ = Clock::now();
  Clock::duration spent_{};
  std::chrono::duration<double> per_byte_{};
};

}  // namespace wedjat::interposer
