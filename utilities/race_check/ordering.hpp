// What puts accesses in order: barriers, fences with strong accesses, mbarriers, copies that were waited for.
#pragma once
#include <cstdlib>
#include <unordered_set>
#include <utility>
#include <wedjat/tool.hpp>

#include "history.hpp"
#include "program.hpp"

namespace race_check {

/// Of the CTAs that one host thread runs.
class Ordering : public wedjat::Tool {
 public:
  Ordering() = default;
  explicit Ordering(const Tool& whose) : Tool(whose) {}

  void arrive(const Event& event) {
    const auto [barrier, name] = barrier_of(event);
    Warp& warp = warp_of(id(event));
    warp.advance(id(event));
    warp.generation[name] = barrier->generation;
    Clocks& arrived = barrier->arrived[barrier->generation];
    if ((event.instruction->what & WEDJAT_RELAXED) == 0)
      arrived.join(warp.knows);
    else if (warp.released != nullptr)
      arrived.join(*warp.released);
  }
  void leave(const Event& event) {
    const auto [barrier, name] = barrier_of(event);
    Warp& warp = warp_of(id(event));
    if (event.instruction->what & WEDJAT_CLUSTER) met_cluster_.insert(event.cta);
    const std::uint32_t mine = warp.generation[name];
    warp.knows.join(barrier->arrived[mine]);
    if (mine == barrier->generation) barrier->arrived.erase(barrier->generation++ - 1);
    if (warp.lanes.apart() && event.executed != Lanes::all)
      warp.lanes.order(Lanes::all, event.executed);
    else
      warp.lanes.meet(event.executed, Lanes::all);
  }
  // Lanes that name the same lanes wait for each other.
  void sync_warp(const Event& event) {
    Warp& warp = warp_of(id(event));
    const std::uint32_t* const members =
        event.row_count == 0 ? nullptr : wedjat::row<std::uint32_t>(event, 0);
    for (std::uint32_t rest = event.executed, group = 0; rest != 0; rest &= ~group) {
      group = rest;
      const std::uint32_t named = members != nullptr ? members[std::countr_zero(rest)] : Lanes::all;
      group &= named | (rest & -rest);
      warp.lanes.meet(group, named);
    }
  }
  void fence(const Event& event) {
    Warp& warp = warp_of(id(event));
    warp.knows.join(warp.acquired);
    warp.acquired = {};
    warp.advance(id(event));
    warp.released = std::make_shared<const Clocks>(warp.knows);
  }
  void proxy_fence(const Event& event) {
    Warp& warp = warp_of(id(event));
    warp.advance(id(event));
    warp.knows.fence_proxy();
  }
  void group(const Event& event) {
    const wedjat_instruction& i = *event.instruction;
    Warp& warp = warp_of(id(event));
    Copies& copies = warp.copies_of(i.group);
    if (i.what & WEDJAT_COMMITS) copies.commit();
    if ((i.what & WEDJAT_WAITS) == 0) return;
    const std::size_t left = i.operand_count == 0 ? 0 : std::strtoul(i.operands[0].text, nullptr, 0);
    copies.wait(left, warp.lanes.epoch(static_cast<unsigned>(std::countr_zero(event.executed))), warp.knows);
  }
  void copies_arrive(const Event& event) {
    Copies& copies = warp_of(id(event)).copies;
    wedjat::each_lane(event.executed, [&](unsigned lane) {
      mbarrier_at(event, event.instruction->accesses[0], lane, event.addresses[0][lane])
          .pending.raise(copies.actor, copies.clock);
    });
    ++copies.clock;
  }
  void phase_complete(const Event& event) {
    const std::uint32_t complete = *static_cast<const std::uint32_t*>(event.rows[0]) & event.executed;
    Warp& warp = warp_of(id(event));
    const wedjat_access& object = static_cast<const Site*>(event.user)->accesses[0];
    std::uint32_t arrived = 0;
    wedjat::each_lane(complete, [&](unsigned lane) {
      const Mbarrier& barrier = mbarrier_at(event, object, lane, event.addresses[0][lane]);
      (object.acquires ? warp.knows : warp.acquired).join(barrier.done);
      if (const auto own = barrier.done_lanes.find(id(event)); own != barrier.done_lanes.end())
        arrived |= own->second;
    });
    if (object.acquires) warp.lanes.order(arrived, complete);
  }

 protected:
  void forget_all() {
    warps_.clear(), barriers_.clear(), published_.clear(), mbarriers_.clear(), met_cluster_.clear();
    cached_ = nullptr;
  }
  void forget(const wedjat_launch& launch, std::uint64_t cta) {
    for (std::uint32_t w = 0; 32 * w < launch.block[0] * launch.block[1] * launch.block[2]; ++w)
      warps_.erase(64 * cta + w);
    met_cluster_.erase(cta);
    barriers_.erase(barriers_.lower_bound({cta, 0}), barriers_.lower_bound({cta, cluster_barrier}));
    cached_ = nullptr;
  }
  /// What its warps know together.
  Clocks known_in(const wedjat_launch& launch, std::uint64_t cta) {
    Clocks all;
    for (std::uint32_t w = 0; 32 * w < launch.block[0] * launch.block[1] * launch.block[2]; ++w)
      if (const auto found = warps_.find(64 * cta + w); found != warps_.end()) all.join(found->second.knows);
    return all;
  }
  /// Whether the warp can know that the CTA has begun: its own CTA met the cluster at a barrier, however
  /// relaxed, or it heard of something that the other did.
  bool knows_begun(const Event& event, std::uint64_t cta) {
    if (met_cluster_.contains(event.cta)) return true;
    const Warp& warp = warp_of(id(event));
    return warp.knows.know(cta) || warp.acquired.know(cta);
  }
  static Actor id(const Event& event) { return 64 * event.cta + event.warp; }
  Warp& warp_of(Actor actor) {
    if (cached_ == nullptr || cached_actor_ != actor) {
      cached_ = &warps_.try_emplace(actor, actor).first->second;
      cached_actor_ = actor;
    }
    return *cached_;
  }
  // What a spelling leaves out (manual 9.7.13.15): arrivals release, waits acquire, in the CTA.
  static std::vector<wedjat_access> accesses_of(const wedjat_instruction& i) {
    std::vector<wedjat_access> all(i.accesses, i.accesses + i.access_count);
    if ((i.what & WEDJAT_MBARRIER) == 0 || all.empty()) return all;
    wedjat_access& object = all[0];
    object.strong = 1;
    if (object.scope == 0) object.scope = 1;
    const bool relaxed = (i.what & WEDJAT_RELAXED) != 0;
    if (i.what & WEDJAT_WAITS) object.acquires = !relaxed;
    if (i.what & WEDJAT_ARRIVES) object.releases = !relaxed;
    return all;
  }

  // The mbarrier there, in the phase it is in.
  Mbarrier& mbarrier_at(const Event& event, const wedjat_access& what, unsigned lane, std::uint64_t address) {
    Mbarrier& found = mbarriers_[key(wedjat::locate(event, what, address))];
    std::uint64_t object = 0;
    constexpr unsigned phase_bit = 63;
    if (read(event, lane, static_cast<wedjat_space>(what.space), address, &object, sizeof object))
      found.settle((object >> phase_bit) != 0);
    else
      found.settle(!found.phase);  // memory is out of reach: as if each arrival were the last
    return found;
  }
  // A strong access takes what others released there, and releases what its warp's last fence covers. Returns
  // whether the warp's place in time is another one now.
  bool exchange(const Event& event, const wedjat_access& what, Warp& warp, unsigned lane,
                std::uint64_t address) {
    if (event.instruction->what & WEDJAT_MBARRIER) {
      Mbarrier& barrier = mbarrier_at(event, what, lane, address);
      if (what.releases) {
        warp.advance(id(event));
        barrier.pending_lanes[id(event)] |= 1u << lane;
      }
      if (what.releases || warp.released != nullptr)
        barrier.pending.join(what.releases ? warp.knows : *warp.released);
      return what.releases;
    }
    const std::uint64_t key = this->key(wedjat::locate(event, what, address));
    bool moved = false;
    if (what.reads)
      if (const auto found = published_.find(key); found != published_.end()) {
        (what.acquires ? warp.knows : warp.acquired).join(found->second);
        moved = what.acquires;
      }
    if (!what.writes) return moved;
    if (what.releases) {
      warp.advance(id(event));
      published_[key].join(warp.knows);
      return true;
    }
    if (warp.released != nullptr) published_[key].join(*warp.released);
    return moved;
  }

 private:
  static constexpr std::uint64_t cluster_barrier = 1 << 16;  // past all names of barriers
  static std::uint64_t key(const Location& at) {
    return at.kind == Location::Kind::shared ? ~(at.address + (at.cta << 24)) : at.address;
  }
  std::pair<Barrier*, std::uint64_t> barrier_of(const Event& event) {
    if (event.instruction->what & WEDJAT_CLUSTER)
      return {&barriers_[{cluster_of(*event.launch, event.cta), cluster_barrier}], cluster_barrier};
    std::uint64_t name = 0;
    for (const wedjat_operand& o : wedjat::operands(*event.instruction))
      if (o.in && o.value != WEDJAT_PRED && event.rows != nullptr) {
        name = static_cast<const std::uint32_t*>(event.rows[o.first])[std::countr_zero(event.executed)];
        break;
      }
    return {&barriers_[{event.cta, name}], name};
  }

  std::unordered_map<Actor, Warp> warps_;
  Warp* cached_ = nullptr;  // the last one asked for
  Actor cached_actor_ = nobody;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Barrier> barriers_;  // by CTA and name
  std::unordered_set<std::uint64_t> met_cluster_;          // CTAs that left a barrier of their cluster
  std::unordered_map<std::uint64_t, Clocks> published_;    // by address: what strong writes released
  std::unordered_map<std::uint64_t, Mbarrier> mbarriers_;  // by address
};

}  // namespace race_check
