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

namespace race_check {

using Actor = std::uint64_t;  // 64 * CTA + warp; a copy: from first_copy on
inline constexpr Actor first_copy = Actor{1} << 63;
inline constexpr std::uint64_t nobody = ~std::uint64_t{0};

/// Clocks of many actors. The warps of one CTA, which nearly all are about, lie in an array.
class Clocks {
 public:
  std::uint32_t of(Actor actor) const {
    if (actor / 64 == cta_) return own_[actor % 64];
    if (others_.empty()) return 0;
    const auto found = others_.find(actor);
    return found == others_.end() ? 0 : found->second;
  }
  void raise(Actor actor, std::uint32_t clock) {
    if (cta_ == nobody && actor < first_copy) cta_ = actor / 64;
    std::uint32_t& mine = actor / 64 == cta_ ? own_[actor % 64] : others_[actor];
    mine = std::max(mine, clock);
  }
  void join(const Clocks& from) {
    if (cta_ == nobody) cta_ = from.cta_;
    if (cta_ == from.cta_)
      for (std::size_t i = 0; i < own_.size(); ++i) own_[i] = std::max(own_[i], from.own_[i]);
    else if (from.cta_ != nobody)
      for (std::size_t i = 0; i < own_.size(); ++i)
        if (from.own_[i] != 0) raise(64 * from.cta_ + i, from.own_[i]);
    for (const auto& [actor, clock] : from.others_) raise(actor, clock);
  }

 private:
  std::uint64_t cta_ = nobody;
  std::array<std::uint32_t, 32> own_{};
  std::unordered_map<Actor, std::uint32_t> others_;
};

/// Copies that a warp started and that nobody waits for so far: group after group.
struct Copies {
  std::vector<Actor> open;
  std::deque<std::vector<Actor>> groups;

  void commit() { groups.push_back(std::exchange(open, {})); }
  /// All but the last `left` groups are done.
  void wait(std::size_t left, Clocks& knows) {
    for (; groups.size() > left; groups.pop_front())
      for (const Actor copy : groups.front()) knows.raise(copy, 1);
  }
  template <class Visit>
  void each(Visit visit) const {
    for (const Actor copy : open) visit(copy);
    for (const auto& group : groups)
      for (const Actor copy : group) visit(copy);
  }
};

struct Warp {
  Clocks knows;             // what happened before now
  std::uint32_t clock = 1;  // of what it does now
  std::array<std::uint32_t, 32> lane_epoch{};
  std::shared_ptr<const Clocks> released;             // what its last fence covers
  Clocks acquired;                                    // what it read of others, until its next fence
  std::map<std::uint64_t, std::uint32_t> generation;  // by barrier: which one it arrived at
  Copies copies, bulk_copies;

  void advance(Actor self) { knows.raise(self, clock++); }
  void sync_lanes(std::uint32_t mask) {
    std::uint32_t latest = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) latest = std::max(latest, lane_epoch[__builtin_ctz(m)]);
    for (std::uint32_t m = mask; m != 0; m &= m - 1) lane_epoch[__builtin_ctz(m)] = latest + 1;
  }
};

struct Barrier {  // of one CTA or cluster
  std::uint32_t generation = 0;
  std::map<std::uint32_t, Clocks> arrived;  // by generation
};

}  // namespace race_check
