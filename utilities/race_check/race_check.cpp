// Accesses of shared and global memory that nothing orders: two threads, one of them writing, not both strong
// enough.
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <vector>
#include <wedjat/tool.hpp>

#include "clocks.hpp"

using namespace wedjat;
using race_check::join;
using race_check::WarpId;

struct RaceCheck : Tool {
  struct Access {  // who touched a word last
    WarpId warp = 0;
    const wedjat_instruction* at = nullptr;
    std::uint32_t clock = 0, lane = 0, epoch = 0;
    std::uint8_t bytes = 0;  // of the word
    std::uint8_t scope = 0;  // wedjat_access.scope if it is strong, else 0
  };
  struct Word {
    Access write, strong_write, read, read2;  // a strong write does not hide the plain one before it
  };
  std::unordered_map<std::uint64_t, Word> global;               // by address / 4
  std::unordered_map<std::uint64_t, std::vector<Word>> shared;  // by CTA
  std::unordered_map<WarpId, race_check::Warp> warps;
  std::map<std::pair<std::uint64_t, std::uint32_t>, race_check::Barrier> barriers;  // CTA, name
  std::unordered_map<std::uint64_t, race_check::Clocks> published;  // by address: what strong writes released
  std::set<std::tuple<const wedjat_instruction*, const wedjat_instruction*, bool>> told;
  const std::string spaces = option("spaces", "all");

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      const std::string_view opcode = i.opcode;
      if (i.what & WEDJAT_BARRIER) {
        before<&RaceCheck::arrive>(i, WEDJAT_ROWS);
        after<&RaceCheck::leave>(i, WEDJAT_ROWS);
      } else if ((i.what & WEDJAT_WARP_SYNC) && (opcode == "bar" || opcode == "barrier")) {
        after<&RaceCheck::sync_warp>(i, WEDJAT_MASKS);
      } else if (i.what & WEDJAT_FENCE) {
        before<&RaceCheck::fence>(i, WEDJAT_MASKS);
      } else if (i.access_count != 0) {
        before<&RaceCheck::access>(i, WEDJAT_ADDRESSES | WEDJAT_ROWS);
      }
    }
  }
  bool launch_begin(const wedjat_launch&) override {  // launches are ordered
    global.clear(), shared.clear(), warps.clear(), barriers.clear(), published.clear();
    return true;
  }
  bool cta_begin(const wedjat_launch& launch, std::uint64_t cta) override {
    shared[cta].resize(launch.shared_bytes / 4 + 1);
    return true;
  }
  void cta_end(const wedjat_launch&, std::uint64_t cta) override { shared.erase(cta); }
  static WarpId id(const Event& event) { return 64 * event.cta + event.warp; }

  static std::uint32_t barrier_name(const Event& event) {
    for (const wedjat_operand& o : operands(*event.instruction))
      if (o.in && o.value != WEDJAT_PRED && event.rows != nullptr)
        return static_cast<const std::uint32_t*>(event.rows[o.first])[std::countr_zero(event.executed)];
    return 0;
  }
  void arrive(const Event& event) {
    const std::uint32_t name = barrier_name(event);
    race_check::Barrier& barrier = barriers[{event.cta, name}];
    race_check::Warp& warp = warps[id(event)];
    warp.advance(id(event));
    warp.generation[name] = barrier.generation;
    join(barrier.arrived[barrier.generation], warp.knows);
  }
  void leave(const Event& event) {
    if (std::string_view(event.instruction->form).find("arrive") != std::string_view::npos) return;
    const std::uint32_t name = barrier_name(event);
    race_check::Barrier& barrier = barriers[{event.cta, name}];
    race_check::Warp& warp = warps[id(event)];
    const std::uint32_t mine = warp.generation[name];
    join(warp.knows, barrier.arrived[mine]);
    if (mine == barrier.generation) barrier.arrived.erase(barrier.generation++ - 1);
    warp.sync_lanes(event.executed);
  }
  void sync_warp(const Event& event) { warps[id(event)].sync_lanes(event.executed); }
  void fence(const Event& event) {
    race_check::Warp& warp = warps[id(event)];
    join(warp.knows, warp.acquired);
    warp.acquired.clear();
    warp.advance(id(event));
    warp.released = std::make_shared<const race_check::Clocks>(warp.knows);
  }

  void access(const Event& event) {
    for (std::uint32_t a = 0; event.addresses != nullptr && a < event.instruction->access_count; ++a) {
      const wedjat_access& what = event.instruction->accesses[a];
      race_check::Warp& warp = warps[id(event)];
      if (what.writes && !what.atomic) check_within(event, what, event.addresses[a]);
      each_lane(event.executed, [&](unsigned lane) {
        std::uint64_t address = event.addresses[a][lane];
        const bool window =
            what.space == WEDJAT_GENERIC && address - WEDJAT_SHARED_WINDOW < WEDJAT_SHARED_WINDOW_BYTES;
        const bool is_shared = window || what.space == WEDJAT_SHARED;
        if (is_shared) address = shared_offset(address);
        if (!is_shared && what.space != WEDJAT_GLOBAL && what.space != WEDJAT_GENERIC) return;
        if (what.space == WEDJAT_GENERIC && !window &&
            address - WEDJAT_LOCAL_WINDOW < WEDJAT_LOCAL_WINDOW_BYTES)
          return;
        if (!is_shared && address - WEDJAT_HEAP_WINDOW < WEDJAT_HEAP_WINDOW_BYTES) return;
        if (spaces != "all" && spaces != (is_shared ? "shared" : "global")) return;
        if (what.atomic || what.strong)
          exchange(event, what, warp, is_shared ? ~(address + (event.cta << 24)) : address);
        std::vector<Word>* const words = is_shared ? &shared[event.cta] : nullptr;
        const std::uint64_t end = address + what.bytes;
        for (std::uint64_t word = address / 4; word * 4 < end; ++word) {
          if (words != nullptr && word >= words->size()) return;
          const std::uint64_t low = std::max(address, 4 * word) - 4 * word,
                              high = std::min(end, 4 * word + 4) - 4 * word;
          const auto bytes = static_cast<std::uint8_t>((1u << high) - (1u << low));
          const auto scope = static_cast<std::uint8_t>(!what.atomic && !what.strong ? 0
                                                       : what.scope                 ? what.scope
                                                                                    : 4);
          touch(event, what, is_shared, words ? (*words)[word] : global[word],
                {id(event), event.instruction, warp.clock, lane, warp.lane_epoch[lane], bytes, scope});
        }
      });
    }
  }
  // A strong access takes what others released there, and releases what its warp's last fence covers.
  void exchange(const Event& event, const wedjat_access& what, race_check::Warp& warp,
                std::uint64_t address) {
    const std::string_view form = event.instruction->form;
    const bool acquires = form.find("acq") != std::string_view::npos,
               releases = form.find(".release") != std::string_view::npos ||
                          form.find("acq_rel") != std::string_view::npos;
    if (what.reads)
      if (const auto found = published.find(address); found != published.end())
        join(acquires ? warp.knows : warp.acquired, found->second);
    if (!what.writes) return;
    if (releases) {
      warp.advance(id(event));
      join(published[address], warp.knows);
    } else if (warp.released != nullptr) {
      join(published[address], *warp.released);
    }
  }
  bool ordered(const Access& first, const Access& then) {
    if (first.warp != then.warp) {
      const race_check::Clocks& knows = warps[then.warp].knows;
      const auto found = knows.find(first.warp);
      return found != knows.end() && found->second >= first.clock;
    }
    return first.lane == then.lane || then.epoch > first.epoch || then.at == first.at;
  }
  bool conflict(const Access& first, const Access& then) {
    if (first.at == nullptr || (first.bytes & then.bytes) == 0 || ordered(first, then)) return false;
    // Both strong, and each scope holds the other thread: no data race.
    const std::uint8_t needed = first.warp / 64 == then.warp / 64 ? 1 : 3;
    return first.scope < needed || then.scope < needed;
  }
  void touch(const Event& event, const wedjat_access& what, bool is_shared, Word& word, const Access& now) {
    if (conflict(word.write, now))
      tell(event, what.writes ? "write after write" : "read after write", is_shared, word.write, now);
    if (conflict(word.strong_write, now))
      tell(event, what.writes ? "write after write" : "read after write", is_shared, word.strong_write, now);
    if (what.writes) {
      if (conflict(word.read, now)) tell(event, "write after read", is_shared, word.read, now);
      if (conflict(word.read2, now)) tell(event, "write after read", is_shared, word.read2, now);
      (now.scope != 0 ? word.strong_write : word.write) = now;
    }
    if (what.reads && !(what.writes && what.atomic)) {
      if (word.read.at != nullptr && !ordered(word.read, now)) word.read2 = word.read;
      word.read = now;
    }
  }
  // Two lanes of one store write different values to one place: which one stays is not said.
  void check_within(const Event& event, const wedjat_access& what, const std::uint64_t* address) {
    if (what.space == WEDJAT_LOCAL || what.space == WEDJAT_PARAM || event.instruction->operand_count < 2)
      return;
    const wedjat_operand& value = event.instruction->operands[event.instruction->operand_count > 1 ? 1 : 0];
    if (value.kind == WEDJAT_ADDRESS || value.bits < 8) return;
    std::array<unsigned, 32> lanes;
    unsigned count = 0;
    each_lane(event.executed, [&](unsigned lane) { lanes[count++] = lane; });
    std::sort(lanes.begin(), lanes.begin() + count,
              [&](unsigned a, unsigned b) { return address[a] < address[b]; });
    const unsigned bytes = value.bits / 8;
    for (unsigned i = 1; i < count; ++i) {
      if (address[lanes[i]] != address[lanes[i - 1]]) continue;
      const char* row = static_cast<const char*>(event.rows[value.first]);
      if (std::memcmp(row + bytes * lanes[i], row + bytes * lanes[i - 1], bytes) == 0) continue;
      const Access first{id(event), event.instruction, 0, lanes[i - 1], 0, 0, 0};
      const Access then{id(event), event.instruction, 0, lanes[i], 0, 0, 0};
      return tell(event, "write after write in one instruction", what.space == WEDJAT_SHARED, first, then);
    }
  }
  void tell(const Event& event, const char* what, bool is_shared, const Access& first, const Access& then) {
    if (!told.emplace(first.at, then.at, is_shared).second) return;
    finding(WEDJAT_ERROR, is_shared ? "shared-race" : "global-race",
            std::string(what) + ": nothing orders it after '" + first.at->text + "' at " + place(*first.at) +
                " by CTA " + std::to_string(first.warp / 64) + " thread " +
                std::to_string(first.warp % 64 * 32 + first.lane),
            event, then.lane);
  }
};
WEDJAT_TOOL(RaceCheck, "race_check", "unordered conflicting accesses of shared and global memory",
            "spaces=shared or global: only these")
