// Happens-before, by vector clocks. Who acts is a warp, or an asynchronous copy; a lane's place in time is
// its warp's clock and its own count of warp barriers.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

#include "lanes.hpp"

namespace race_check {

using Actor =
    std::uint64_t;  // a warp: 64 * CTA + its number; a copy: besides, first_copy and a number of its own
inline constexpr Actor first_copy = Actor{1} << 63;
inline constexpr unsigned copy_number_shift = 40;
inline bool is_copy(Actor actor) { return actor >= first_copy; }
/// The warp itself, or the one that started the copy.
inline Actor warp_behind(Actor actor) {
  return is_copy(actor) ? actor & ((Actor{1} << copy_number_shift) - 1) : actor;
}
inline Actor copy_of(Actor warp, std::uint64_t number) {
  return first_copy | (number << copy_number_shift & (first_copy - 1)) | warp;
}
inline constexpr std::uint64_t nobody = ~std::uint64_t{0};

/// Which cluster of the grid the CTA is in.
inline std::uint64_t cluster_of(const wedjat_launch& launch, std::uint64_t cta) {
  const auto &grid = launch.grid, &size = launch.cluster;
  const std::uint64_t at[] = {cta % grid[0], cta / grid[0] % grid[1], cta / grid[0] / grid[1]};
  std::uint64_t cluster = 0;
  for (int i = 3; i-- > 0;) cluster = cluster * (grid[i] / size[i]) + at[i] / size[i];
  return cluster;
}

/// Clocks of many actors. The warps of one CTA, which nearly all are about, lie in an array.
class Clocks {
 public:
  std::uint32_t of(Actor actor) const {
    if (actor / 64 == cta_) return own_[actor % 64];
    if (others_.empty()) return 0;
    const auto found = others_.find(actor);
    return found == others_.end() ? 0 : found->second;
  }
  /// Whether anything that the CTA did is among it.
  bool know(std::uint64_t cta) const {
    if (cta == cta_) return std::ranges::any_of(own_, [](std::uint32_t clock) { return clock != 0; });
    return std::ranges::any_of(others_, [&](const auto& one) { return warp_behind(one.first) / 64 == cta; });
  }
  /// Grows with every change.
  std::uint64_t version() const { return version_; }
  void raise(Actor actor, std::uint32_t clock) {
    ++version_;
    if (cta_ == nobody && !is_copy(actor)) cta_ = actor / 64;
    std::uint32_t& mine = actor / 64 == cta_ ? own_[actor % 64] : others_[actor];
    mine = std::max(mine, clock);
  }
  void join(const Clocks& from) {
    ++version_;
    if (cta_ == nobody) cta_ = from.cta_;
    if (cta_ == from.cta_)
      for (std::size_t i = 0; i < own_.size(); ++i) own_[i] = std::max(own_[i], from.own_[i]);
    else if (from.cta_ != nobody)
      for (std::size_t i = 0; i < own_.size(); ++i)
        if (from.own_[i] != 0) raise(64 * from.cta_ + i, from.own_[i]);
    for (const auto& [actor, clock] : from.others_) raise(actor, clock);
    if (from.fenced_ != nullptr && from.fenced_ != fenced_) {
      const auto both = std::make_shared<Clocks>(*from.fenced_);
      if (fenced_ != nullptr) both->join(*fenced_);
      fenced_ = both;
    }
  }
  /// All of it goes through a fence between the generic and the asynchronous proxy.
  void fence_proxy() {
    fenced_ = nullptr;
    fenced_ = std::make_shared<const Clocks>(*this);
  }
  /// What of an actor did so.
  std::uint32_t fenced(Actor actor) const { return fenced_ == nullptr ? 0 : fenced_->of(actor); }

 private:
  std::uint64_t cta_ = nobody, version_ = 0;
  std::array<std::uint32_t, 32> own_{};
  std::unordered_map<Actor, std::uint32_t> others_;
  std::shared_ptr<const Clocks> fenced_;
};

/// Copies of one kind that a warp waits for group by group: one actor, whose clock counts the groups.
struct Copies {
  Actor actor = nobody;
  std::uint32_t clock = 1;           // of the copies it starts now
  std::deque<std::uint32_t> groups;  // their clocks
  struct Wait {
    std::uint32_t clock, epoch;  // groups up to this clock were waited for, in this epoch of the lanes
  };
  std::vector<Wait> waits;

  void commit() { groups.push_back(clock++); }
  /// All but the last `left` groups are done.
  void wait(std::size_t left, std::uint32_t epoch, Clocks& knows) {
    std::uint32_t done = 0;
    for (; groups.size() > left; groups.pop_front()) done = groups.front();
    if (done == 0) return;
    knows.raise(actor, done);
    waits.push_back({done, epoch});
  }
};

struct Warp {
  Clocks knows;             // what happened before now
  std::uint32_t clock = 1;  // of what it does now
  Lanes lanes;
  std::shared_ptr<const Clocks> released;             // what its last fence covers
  Clocks acquired;                                    // what it read of others, until its next fence
  std::map<std::uint64_t, std::uint32_t> generation;  // by barrier: which one it arrived at
  Copies copies, bulk_copies, products;   // products: wgmma, which reads its matrices as copies do
  std::uint64_t copies_with_barrier = 0;  // so many it started: each an actor of its own
  struct Copy {
    Actor actor;
    std::uint32_t clock;
  };
  std::array<Copy, 32> started{};  // by lane: its last copy

  explicit Warp(Actor self) {
    copies.actor = copy_of(self, 0);
    bulk_copies.actor = copy_of(self, 1);
    products.actor = copy_of(self, 2);
  }
  Actor next_copy_with_barrier(Actor self) { return copy_of(self, 3 + copies_with_barrier++); }
  /// The kind of copy that an instruction starts, ends a group of or waits for.
  Copies& copies_of(std::uint8_t group) {
    return group == WEDJAT_PRODUCTS ? products : group == WEDJAT_BULK_COPIES ? bulk_copies : copies;
  }

  /// Of the wait that covers this copy of the warp's own; null: there was none.
  const std::uint32_t* epoch_of_wait(Actor copy, std::uint32_t of_clock) const {
    if (copy != copies.actor && copy != bulk_copies.actor && copy != products.actor) return nullptr;
    const auto& waits = (copy == copies.actor        ? copies
                         : copy == bulk_copies.actor ? bulk_copies
                                                     : products)
                            .waits;
    const auto found = std::lower_bound(waits.begin(), waits.end(), of_clock,
                                        [](const Copies::Wait& w, std::uint32_t c) { return w.clock < c; });
    return found == waits.end() ? nullptr : &found->epoch;
  }
  void advance(Actor self) { knows.raise(self, clock++); }
};

/// What arrived at an mbarrier: in the phase at hand, and in those that are complete.
struct Mbarrier {
  Clocks pending, done;
  std::map<Actor, std::uint32_t> pending_lanes, done_lanes;  // that arrived, by warp
  bool phase = false;

  void settle(bool now) {
    if (now == phase) return;
    phase = now;
    done.join(pending);
    pending = {};
    done_lanes = std::exchange(pending_lanes, {});
  }
};

struct Barrier {  // of one CTA or cluster
  std::uint32_t generation = 0;
  std::map<std::uint32_t, Clocks> arrived;  // by generation
};

}  // namespace race_check
