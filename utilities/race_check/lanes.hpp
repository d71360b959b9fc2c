// The lanes of a warp in time: how often each was ordered after others, and what of the others it knows.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

namespace race_check {

class Lanes {
 public:
  static constexpr std::uint32_t all = ~0u;

  /// Of what a lane does now.
  std::uint32_t epoch(unsigned lane) const { return epoch_[lane]; }
  bool one_epoch() const { return one_epoch_; }
  /// Lanes were ordered among some of them only: a later epoch alone orders nothing.
  bool apart() const { return seen_ != nullptr; }
  /// Lanes whose accesses of that epoch happen before what `lane` does now.
  std::uint32_t known(unsigned lane, std::uint32_t epoch) const {
    std::uint32_t mask = 1u << lane;
    for (unsigned other = 0; other < 32; ++other)
      mask |= static_cast<std::uint32_t>(knows(lane, other) > epoch) << other;
    return mask;
  }
  /// Lanes in the same place in time as `first`.
  std::uint32_t together(unsigned first) const {
    if (apart()) return 1u << first;
    if (one_epoch_) return all;
    std::uint32_t mask = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      mask |= static_cast<std::uint32_t>(epoch_[lane] == epoch_[first]) << lane;
    return mask;
  }

  /// The lanes of `mask` wait for each other; `members`: those named that do. `all`: the whole warp does.
  void meet(std::uint32_t mask, std::uint32_t members) {
    if (members != all) {
      take_apart();
      order(mask, mask);
    } else if (apart()) {
      epoch_.fill(*std::ranges::max_element(epoch_) + 1);
      one_epoch_ = true;
      seen_.reset();
    } else {
      raise(mask, mask);
    }
  }
  /// What the lanes of `first` did happens before what those of `then` will do.
  void order(std::uint32_t first, std::uint32_t then) {
    if (first == 0) return;
    if (!apart()) return raise(first, then);
    Row known{};
    for (std::uint32_t m = first; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(m));
      known[lane] = std::max(known[lane], ++epoch_[lane]);
      for (unsigned other = 0; other < 32; ++other)
        known[other] = std::max(known[other], (*seen_)[lane][other]);
    }
    for (std::uint32_t m = then; m != 0; m &= m - 1) {
      Row& mine = (*seen_)[static_cast<unsigned>(std::countr_zero(m))];
      for (unsigned other = 0; other < 32; ++other) mine[other] = std::max(mine[other], known[other]);
    }
    one_epoch_ = false;
  }

 private:
  using Row = std::array<std::uint32_t, 32>;

  std::uint32_t knows(unsigned lane, unsigned other) const {
    return apart() ? (*seen_)[lane][other] : epoch_[lane];
  }
  void take_apart() {
    if (apart()) return;
    auto seen = std::make_unique<std::array<Row, 32>>();
    for (unsigned lane = 0; lane < 32; ++lane) (*seen)[lane].fill(epoch_[lane]);
    seen_ = std::move(seen);
  }
  void raise(std::uint32_t first, std::uint32_t then) {
    std::uint32_t latest = 0;
    for (std::uint32_t m = first; m != 0; m &= m - 1)
      latest = std::max(latest, epoch_[static_cast<unsigned>(std::countr_zero(m))]);
    for (std::uint32_t m = then; m != 0; m &= m - 1) {
      std::uint32_t& mine = epoch_[static_cast<unsigned>(std::countr_zero(m))];
      mine = std::max(mine, latest + 1);
    }
    one_epoch_ = std::ranges::all_of(epoch_, [&](std::uint32_t epoch) { return epoch == epoch_[0]; });
  }

  Row epoch_{};
  bool one_epoch_ = true;
  std::unique_ptr<std::array<Row, 32>>
      seen_;  // by lane, of each other one: the epochs before this. Null: before its own
};

}  // namespace race_check
