// Accesses of shared and global memory that nothing orders: two threads, one of them writing, not both strong
// enough.
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <vector>
#include <wedjat/tool.hpp>

#include "shadow.hpp"
#include "streams.hpp"

using namespace wedjat;
using race_check::Access;
using race_check::Actor;
using race_check::Clocks;
using race_check::Word;

struct RaceCheck : Tool {
  struct Site {
    const wedjat_instruction* at;
    const wedjat_kernel* kernel;
    std::uint32_t index;  // in sites
    std::vector<wedjat_access> accesses;
  };
  struct Cta {
    std::vector<Word> shared;
  };
  std::deque<Site> sites;
  race_check::Shadow global;
  std::unordered_map<std::uint64_t, Cta> ctas;
  std::unordered_map<Actor, race_check::Warp> warps;
  std::map<std::pair<std::uint64_t, std::uint64_t>, race_check::Barrier> barriers;  // CTA, name
  std::unordered_map<std::uint64_t, Clocks> published;  // by address: what strong writes released
  std::unordered_map<Actor, Actor> issuer;              // of copies: the warp
  Actor next_copy = race_check::first_copy;
  std::set<std::tuple<std::uint32_t, std::uint32_t, bool>> told;
  race_check::Streams streams;
  std::uint16_t launch_index = 0;
  const std::string spaces = option("spaces", "all");

  static constexpr std::uint64_t cluster_barrier = 1 << 16;  // past all names of barriers

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      Site& site = sites.emplace_back(Site{&i, &k, static_cast<std::uint32_t>(sites.size()), accesses_of(i)});
      const std::string_view opcode = i.opcode, form = i.form;
      const bool is_async = form.starts_with("cp.async") || form.starts_with("cp.reduce.async") ||
                            form.find(".async") != form.npos;
      if (i.what & WEDJAT_BARRIER) {
        if (form.find("cluster.wait") == form.npos) before<&RaceCheck::arrive>(i, WEDJAT_ROWS);
        if (form.find("arrive") == form.npos) after<&RaceCheck::leave>(i, WEDJAT_ROWS);
      } else if ((i.what & WEDJAT_WARP_SYNC) && (opcode == "bar" || opcode == "barrier")) {
        after<&RaceCheck::sync_warp>(i);
      } else if (i.what & WEDJAT_FENCE) {
        before<&RaceCheck::fence>(i);
      } else if (form.find("commit_group") != form.npos || form.find("wait_group") != form.npos ||
                 form.find("wait_all") != form.npos) {
        before<&RaceCheck::group>(i);
      } else if (i.access_count == 0) {
        continue;
      } else if (form.starts_with("cp.async.mbarrier")) {
        before<&RaceCheck::copies_arrive>(i, WEDJAT_ADDRESSES);
      } else if (is_async) {
        before<&RaceCheck::copy>(i, WEDJAT_ADDRESSES | WEDJAT_ROWS, &site);
      } else if (opcode == "mbarrier" && i.operands[0].value == WEDJAT_PRED) {
        after<&RaceCheck::phase_complete>(i, WEDJAT_ADDRESSES | WEDJAT_ROWS, &site);
      } else {
        const std::uint32_t values = i.what & WEDJAT_STORE ? WEDJAT_ROWS : WEDJAT_MASKS;
        before<&RaceCheck::access>(i, WEDJAT_ADDRESSES | values, &site);
      }
    }
  }

  // What a spelling leaves out (manual 9.7.13.15): arrivals release, waits acquire, in the CTA.
  static std::vector<wedjat_access> accesses_of(const wedjat_instruction& i) {
    std::vector<wedjat_access> all(accesses(i).begin(), accesses(i).end());
    const std::string_view form = i.form;
    if (!form.starts_with("mbarrier.") || form.starts_with("mbarrier.init") || all.empty()) return all;
    wedjat_access& object = all[0];
    object.strong = 1;
    if (object.scope == 0) object.scope = 1;
    const bool relaxed = form.find(".relaxed") != form.npos;
    if (form.find("wait") != form.npos) object.acquires = !relaxed;
    if (form.find("arrive") != form.npos) object.releases = !relaxed;
    return all;
  }

  // --- launches, CTAs ------------------------------------------------------------------------------------
  void call(const wedjat_call& c) override { streams.call(c); }
  bool launch_begin(const wedjat_launch& launch) override {
    launch_index = static_cast<std::uint16_t>(launch.index);
    if (streams.launch(launch_index)) global.clear();
    ctas.clear(), warps.clear(), barriers.clear(), published.clear(), issuer.clear();
    cached_warp = nullptr, cached_cta = nullptr;
    return true;
  }
  bool cta_begin(const wedjat_launch& launch, std::uint64_t cta) override {
    ctas[cta].shared.resize(launch.shared_bytes / 4 + 1);
    return true;
  }
  void cta_end(const wedjat_launch&, std::uint64_t cta) override {
    ctas.erase(cta);
    cached_cta = nullptr;
  }
  race_check::Warp* cached_warp = nullptr;
  Cta* cached_cta = nullptr;
  Actor cached_actor = race_check::nobody;
  std::uint64_t cached_cta_index = 0;
  static Actor id(const Event& event) { return 64 * event.cta + event.warp; }
  race_check::Warp& warp_of(Actor actor) {
    if (cached_warp == nullptr || cached_actor != actor) {
      cached_warp = &warps[actor];
      cached_actor = actor;
    }
    return *cached_warp;
  }
  Cta* cta_at(std::uint64_t index) {
    if (cached_cta == nullptr || cached_cta_index != index) {
      const auto found = ctas.find(index);
      if (found == ctas.end()) return nullptr;
      cached_cta = &found->second;
      cached_cta_index = index;
    }
    return cached_cta;
  }
  static std::uint64_t cluster_of(const wedjat_launch& launch, const std::uint32_t (&at)[3]) {
    std::uint64_t cluster = 0;
    for (int i = 3; i-- > 0;)
      cluster = cluster * (launch.grid[i] / launch.cluster[i]) + at[i] / launch.cluster[i];
    return cluster;
  }
  static bool one_cluster(const wedjat_launch& launch, std::uint64_t a, std::uint64_t b) {
    const auto cluster = [&](std::uint64_t cta) {
      const std::uint32_t at[3] = {static_cast<std::uint32_t>(cta % launch.grid[0]),
                                   static_cast<std::uint32_t>(cta / launch.grid[0] % launch.grid[1]),
                                   static_cast<std::uint32_t>(cta / launch.grid[0] / launch.grid[1])};
      return cluster_of(launch, at);
    };
    return cluster(a) == cluster(b);
  }

  // --- what orders ----------------------------------------------------------------------------------------
  std::pair<race_check::Barrier*, std::uint64_t> barrier_of(const Event& event) {
    if (std::string_view(event.instruction->form).find("cluster") != std::string_view::npos)
      return {&barriers[{cluster_of(*event.launch, event.cta_xyz), cluster_barrier}], cluster_barrier};
    std::uint64_t name = 0;
    for (const wedjat_operand& o : operands(*event.instruction))
      if (o.in && o.value != WEDJAT_PRED && event.rows != nullptr) {
        name = static_cast<const std::uint32_t*>(event.rows[o.first])[std::countr_zero(event.executed)];
        break;
      }
    return {&barriers[{event.cta, name}], name};
  }
  void arrive(const Event& event) {
    const auto [barrier, name] = barrier_of(event);
    race_check::Warp& warp = warp_of(id(event));
    warp.advance(id(event));
    warp.generation[name] = barrier->generation;
    const bool relaxed = std::string_view(event.instruction->form).find("relaxed") != std::string_view::npos;
    Clocks& arrived = barrier->arrived[barrier->generation];
    if (!relaxed)
      arrived.join(warp.knows);
    else if (warp.released != nullptr)
      arrived.join(*warp.released);
  }
  void leave(const Event& event) {
    const auto [barrier, name] = barrier_of(event);
    race_check::Warp& warp = warp_of(id(event));
    const std::uint32_t mine = warp.generation[name];
    warp.knows.join(barrier->arrived[mine]);
    if (mine == barrier->generation) barrier->arrived.erase(barrier->generation++ - 1);
    warp.sync_lanes(event.executed);
  }
  void sync_warp(const Event& event) { warp_of(id(event)).sync_lanes(event.executed); }
  void fence(const Event& event) {
    race_check::Warp& warp = warp_of(id(event));
    warp.knows.join(warp.acquired);
    warp.acquired = {};
    warp.advance(id(event));
    warp.released = std::make_shared<const Clocks>(warp.knows);
  }
  void group(const Event& event) {
    const std::string_view form = event.instruction->form;
    race_check::Warp& warp = warp_of(id(event));
    const bool bulk = form.find("bulk") != form.npos;
    race_check::Copies& copies = bulk ? warp.bulk_copies : warp.copies;
    const bool all = form.find("wait_all") != form.npos;
    if (all || form.find("commit") != form.npos) copies.commit();
    if (all) copies.wait(0, warp.knows);
    if (form.find("wait_group") != form.npos)
      copies.wait(std::strtoul(event.instruction->operands[0].text, nullptr, 0), warp.knows);
  }
  void copies_arrive(const Event& event) {
    each_lane(event.executed, [&](unsigned lane) {
      const Location at = locate(event, event.instruction->accesses[0], event.addresses[0][lane]);
      Clocks& there = published[key(at)];
      warp_of(id(event)).copies.each([&](Actor copy) { there.raise(copy, 1); });
    });
  }
  void phase_complete(const Event& event) {
    const std::uint32_t complete = *static_cast<const std::uint32_t*>(event.rows[0]) & event.executed;
    each_lane(complete, [&](unsigned lane) {
      const Location at = locate(event, event.instruction->accesses[0], event.addresses[0][lane]);
      const auto found = published.find(key(at));
      if (found == published.end()) return;
      race_check::Warp& warp = warp_of(id(event));
      const auto& site = *static_cast<const Site*>(event.user);
      (site.accesses[0].acquires ? warp.knows : warp.acquired).join(found->second);
    });
  }
  // A strong access takes what others released there, and releases what its warp's last fence covers.
  void exchange(const Event& event, const wedjat_access& what, race_check::Warp& warp, std::uint64_t key) {
    if (what.reads)
      if (const auto found = published.find(key); found != published.end())
        (what.acquires ? warp.knows : warp.acquired).join(found->second);
    if (!what.writes) return;
    if (what.releases) {
      warp.advance(id(event));
      published[key].join(warp.knows);
    } else if (warp.released != nullptr) {
      published[key].join(*warp.released);
    }
  }

  // --- what must be ordered -------------------------------------------------------------------------------
  using Kind = Location::Kind;
  static std::uint64_t key(const Location& at) {
    return at.kind == Kind::shared ? ~(at.address + (at.cta << 24)) : at.address;
  }

  void access(const Event& event) {
    race_check::Warp& warp = warp_of(id(event));
    const Site& site = *static_cast<const Site*>(event.user);
    for (std::uint32_t a = 0; event.addresses != nullptr && a < site.accesses.size(); ++a) {
      const wedjat_access& what = site.accesses[a];
      if (what.bytes == 0) continue;
      if (what.writes && !what.atomic) check_within(event, what, event.addresses[a]);
      const bool strong = what.atomic || what.strong;
      Access now{.actor = id(event), .site = site.index, .launch = launch_index};
      now.scope = !strong ? 0 : what.scope ? what.scope : 4;
      std::uint64_t last = ~std::uint64_t{0};
      for (std::uint32_t rest = event.executed & what.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const std::uint64_t address = event.addresses[a][lane];
        if (address == std::exchange(last, address) && !what.writes && !strong) continue;
        const Location at = locate(event, what, address);
        if (strong) exchange(event, what, warp, key(at));
        now.clock = warp.clock;
        now.epoch = warp.lane_epoch[lane];
        now.lane = static_cast<std::uint8_t>(lane);
        touch_all(event, what, at, what.bytes, warp, now);
      }
    }
  }
  // An asynchronous copy is an actor of its own: what orders it is waiting for its group, or its mbarrier.
  void copy(const Event& event) {
    race_check::Warp& warp = warp_of(id(event));
    const std::string_view form = event.instruction->form;
    each_lane(event.executed, [&](unsigned lane) {
      const Actor actor = next_copy++;
      issuer[actor] = id(event);
      bool has_barrier = false;
      for (std::uint32_t a = 0; a < event.instruction->access_count; ++a) {
        const wedjat_access& what = static_cast<const Site*>(event.user)->accesses[a];
        const Location at = locate(event, what, event.addresses[a][lane]);
        if (a != 0 && what.atomic && what.bytes % 8 == 0 && what.bytes != 0) {
          published[key(at)].raise(actor, 1);
          has_barrier = true;
          continue;
        }
        const std::uint64_t bytes = what.bytes != 0 ? what.bytes : row<std::uint32_t>(event, what.size)[lane];
        Access now{.actor = actor,
                   .clock = 1,
                   .epoch = warp.lane_epoch[lane],
                   .site = static_cast<const Site*>(event.user)->index,
                   .launch = launch_index,
                   .lane = static_cast<std::uint8_t>(lane)};
        now.scope = what.atomic ? 4 : 0;
        touch_all(event, what, at, bytes, warp, now);
      }
      if (!has_barrier)
        (form.find("bulk") != form.npos ? warp.bulk_copies : warp.copies).open.push_back(actor);
    });
  }
  void touch_all(const Event& event, const wedjat_access& what, const Location& at, std::uint64_t bytes,
                 race_check::Warp& warp, Access& now) {
    if (at.kind != Kind::shared && at.kind != Kind::global) return;
    const bool is_shared = at.kind == Kind::shared;
    if (spaces != "all" && spaces != (is_shared ? "shared" : "global")) return;
    Cta* const cta = is_shared ? cta_at(at.cta) : nullptr;
    if (is_shared && cta == nullptr) return;
    const std::uint64_t end = at.address + bytes;
    for (std::uint64_t word = at.address / 4; word * 4 < end; ++word) {
      if (is_shared && word >= cta->shared.size()) return;
      const std::uint64_t low = std::max(at.address, 4 * word) - 4 * word,
                          high = std::min(end, 4 * word + 4) - 4 * word;
      now.bytes = static_cast<std::uint8_t>((1u << high) - (1u << low)) & 0xfu;
      touch(event, what, is_shared, is_shared ? cta->shared[word] : global[word], now, warp);
    }
  }

  Actor warp_behind(const Access& access) const {
    if (access.actor < race_check::first_copy) return access.actor;
    const auto found = issuer.find(access.actor);
    return found == issuer.end() ? access.actor : found->second;
  }
  // `warp`: the one that does `then`, or started the copy that does.
  bool ordered(const Access& first, const Access& then, const race_check::Warp& warp) const {
    if (first.launch != then.launch) return streams.is_before(first.launch);
    if (first.actor == then.actor ||
        (then.actor >= race_check::first_copy && first.actor == warp_behind(then)))
      return first.lane == then.lane || then.epoch > first.epoch || then.site == first.site;
    return warp.knows.of(first.actor) >= first.clock;
  }
  bool conflict(const Event& event, const Access& first, const Access& then,
                const race_check::Warp& warp) const {
    if (!first.exists() || (first.bytes & then.bytes) == 0 || ordered(first, then, warp)) return false;
    if (first.scope == 0 || then.scope == 0 || first.launch != then.launch) return true;
    // Both strong, and each scope holds the other thread: no data race.
    const std::uint64_t a = warp_behind(first) / 64, b = warp_behind(then) / 64;
    const std::uint8_t needed = a == b ? 1 : one_cluster(*event.launch, a, b) ? 2 : 3;
    return first.scope < needed || then.scope < needed;
  }
  void touch(const Event& event, const wedjat_access& what, bool is_shared, Word& word, const Access& now,
             const race_check::Warp& warp) {
    for (const Access* write : {&word.write, &word.strong_write})
      if (conflict(event, *write, now, warp))
        tell(event,
             !what.writes                     ? "read after write"
             : is_same(event, what, now.lane) ? same
                                              : "write after write",
             is_shared, *write, now);
    if (what.writes) {
      for (const Access* read : {&word.read, &word.read2})
        if (conflict(event, *read, now, warp)) tell(event, "write after read", is_shared, *read, now);
      (now.scope != 0 ? word.strong_write : word.write) = now;
    }
    if (what.reads && !(what.writes && what.atomic)) {
      if (word.read.exists() && word.read.actor != now.actor && !ordered(word.read, now, warp))
        word.read2 = word.read;
      word.read = now;
    }
  }
  static constexpr const char* same = "write of the same value";
  // Whether the store writes what is there: two threads that do not wait for each other, but agree.
  bool is_same(const Event& event, const wedjat_access& what, unsigned lane) const {
    if (what.reads || event.rows == nullptr || event.instruction->operand_count < 2) return false;
    const wedjat_operand& value = event.instruction->operands[1];
    const std::size_t bytes = value.bits / 8;
    std::array<char, 64> there;
    const std::uint64_t address =
        event.addresses[&what - static_cast<const Site*>(event.user)->accesses.data()][lane];
    if (value.kind == WEDJAT_ADDRESS || bytes == 0 || what.bytes != bytes * value.count ||
        what.bytes > there.size() ||
        !read(event, lane, static_cast<wedjat_space>(what.space), address, there.data(), what.bytes))
      return false;
    for (unsigned e = 0; e < value.count; ++e)
      if (std::memcmp(there.data() + e * bytes, row<char>(event, 1, e) + bytes * lane, bytes) != 0)
        return false;
    return true;
  }
  // Two lanes of one store write different values to one place: which one stays is not said.
  void check_within(const Event& event, const wedjat_access& what, const std::uint64_t* address) {
    if (what.space == WEDJAT_LOCAL || what.space == WEDJAT_PARAM || event.instruction->operand_count < 2)
      return;
    const wedjat_operand& value = event.instruction->operands[1];
    if (value.kind == WEDJAT_ADDRESS || value.bits < 8 || what.lanes != ~0u) return;
    std::array<unsigned, 32> lanes;
    unsigned count = 0;
    bool ascending = true;
    each_lane(event.executed, [&](unsigned lane) {
      ascending = ascending && (count == 0 || address[lane] > address[lanes[count - 1]]);
      lanes[count++] = lane;
    });
    if (ascending) return;
    std::sort(lanes.begin(), lanes.begin() + count,
              [&](unsigned a, unsigned b) { return address[a] < address[b]; });
    const unsigned bytes = value.bits / 8;
    for (unsigned i = 1; i < count; ++i) {
      if (address[lanes[i]] != address[lanes[i - 1]]) continue;
      const char* row = static_cast<const char*>(event.rows[value.first]);
      if (std::memcmp(row + bytes * lanes[i], row + bytes * lanes[i - 1], bytes) == 0) continue;
      const std::uint32_t site = static_cast<const Site*>(event.user)->index;
      const Access first{.actor = id(event), .site = site, .lane = static_cast<std::uint8_t>(lanes[i - 1])};
      const Access then{.actor = id(event), .site = site, .lane = static_cast<std::uint8_t>(lanes[i])};
      return tell(event, "write after write in one instruction",
                  locate(event, what, address[lanes[i]]).kind == Kind::shared, first, then);
    }
  }
  void tell(const Event& event, const char* what, bool is_shared, const Access& first, const Access& then) {
    if (!told.emplace(first.site, then.site, what == same).second) return;
    const Site& site = sites[first.site];
    const Actor warp = warp_behind(first);
    std::string by = warp < race_check::first_copy ? " by CTA " + std::to_string(warp / 64) + " thread " +
                                                         std::to_string(warp % 64 * 32 + first.lane)
                                                   : std::string();
    if (first.actor != warp) by = " (a copy that nobody waited for)" + by;
    if (first.launch != then.launch)
      by += " of kernel " + std::string(site.kernel->name) + ", launch " + std::to_string(first.launch);
    finding(
        what == same ? WEDJAT_WARNING : WEDJAT_ERROR, is_shared ? "shared-race" : "global-race",
        std::string(what) + ": nothing orders it after '" + site.at->text + "' at " + place(*site.at) + by,
        event, then.lane);
  }
};
WEDJAT_TOOL(RaceCheck, "race_check", "unordered conflicting accesses of shared and global memory",
            "spaces=shared or global: only these", WEDJAT_CHECKS)
