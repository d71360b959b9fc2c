#include "interposer/shim/memory/host_memory.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>
#include <vector>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/events/payload.h"
#include "interposer/shim/memory/device_info.h"
#include "interposer/shim/memory/own_pages.h"
#include "interposer/shim/memory/pending.h"
#include "interposer/shim/memory/read_managed.h"
#include "interposer/shim/memory/streams.h"
#include "interposer/shim/ranges/comparison.h"
#include "interposer/shim/ranges/host_ranges.h"
#include "interposer/shim/ranges/look_budget.h"
#include "interposer/shim/ranges/side_by_side.h"

namespace wedjat::interposer {
namespace {

using traces::HostRangeKind;
using traces::HostRangeOperation;

struct Memory {
  std::mutex mutex;
  HostRanges ranges;
  LookBudget budget;
  std::size_t prepared = 0;  // bytes of all that there was room for before it was known
};

Memory& memory() {
  static Memory& all = *new Memory;
  return all;
}

// Where work follows work all of what the device takes away becomes known at once. Fresh memory for it takes
// longer than all else of that, so it is made while the program fills its own; but not all too much of it.
constexpr std::size_t kPrepared = std::size_t{64} << 20;

constexpr std::size_t kWorthPreparing = std::size_t{2} << 20;

void prepare(Memory& all, HostRange& range) {
  const std::size_t size = std::min(range.size(), kPrepared - all.prepared);
  if (range.kind() != HostRangeKind::managed || size < kWorthPreparing || !blobs().workers().to_spare())
    return;
  all.prepared += size;
  range.prepare(size, blobs().workers());
}

// Work::given behind the last kernel, and when all was waited for.
std::atomic<std::uint64_t> kernels_given{0}, kernels_waited{0};
bool kernels_may_work() { return kernels_given.load() > kernels_waited.load(); }
std::atomic<bool> pages_may_come{false};  // of managed memory, to the host without its fault

// Work::given behind the last launch of a graph, and when all was at rest and looked at. What graphs copy
// from and to need not be looked at while none of them works, which may be at each of many launches of
// kernels.
std::atomic<std::uint64_t> graph_given{0}, graphs_rested{0};
thread_local bool launches_graph = false;
bool graphs_may_work() { return launches_graph || graph_given.load() > graphs_rested.load(); }

void raise(std::atomic<std::uint64_t>& to, std::uint64_t value) {
  for (std::uint64_t now = to.load(); now < value && !to.compare_exchange_weak(now, value);) {
  }
}

void tell(std::uint64_t call, HostRangeOperation operation, const HostRange& range,
          std::uint64_t device_address) {
  wj_emit_host_range(next_sequence(), call, static_cast<std::uint8_t>(operation),
                     static_cast<std::uint8_t>(range.kind()), as_field(range.begin()), device_address,
                     range.size());
}

bool contains(const HostRange& range, const Box& box) {
  return range.begin() <= box.base && box.base + box.extent() <= range.end();
}

bool there_are_ranges() { return memory().ranges.count() > 0; }

// The range that keeps what was copied there in one piece, or null.
HostRange* keeper(const HostRanges& ranges, const Box& box) {
  HostRange* const range = ranges.at(box.base);
  return range != nullptr && box.tight() && contains(*range, box) ? range : nullptr;
}

bool any_range_holds(const Box& box, bool of_graphs_too) {
  Memory& all = memory();
  if (!there_are_ranges()) return false;
  const std::lock_guard lock(all.mutex);
  const HostRange* const range = all.ranges.at(box.base);
  return range != nullptr && (of_graphs_too || range->kind() != HostRangeKind::graph) &&
         contains(*range, box);
}

// Where something else begins the program has freed what a graph copied from or to.
void end_graph_memory(HostRanges& ranges, std::uint64_t call, const Box& where) {
  for (HostRange* const range : ranges.graphs()) {
    if (range->end() <= where.base || where.base + where.extent() <= range->begin()) continue;
    tell(call, HostRangeOperation::ends, *range, 0);
    ranges.remove(*range);
  }
}

void begin(const Call& call, HostRangeKind kind, void* address, std::size_t size,
           std::uint64_t device_address) {
  if (address == nullptr || size == 0) return;
  populate_own_pages();
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  if (kind != HostRangeKind::graph) end_graph_memory(all.ranges, call.sequence, Box::line(address, size));
  HostRange& range = all.ranges.add(kind, static_cast<std::byte*>(address), size);
  tell(call.sequence, HostRangeOperation::begins, range, device_address);
  prepare(all, range);
}

std::uint64_t device_address_of(void* address) {
  const auto get = real<CUresult (*)(CUdeviceptr*, void*, unsigned)>(Entry::cuMemHostGetDevicePointer_v2);
  CUdeviceptr device = 0;
  return get && get(&device, address, 0) == CUDA_SUCCESS ? device : 0;
}

// Where the device forbids the host to touch managed memory during its work, it is looked at when there is
// none.
bool may_look(const HostRange& range) {
  return range.kind() != HostRangeKind::managed || managed_memory_is_concurrent() || !kernels_may_work();
}

// Names the wait that a thread comes from, until what the device wrote is told: what was learned since cannot
// be something that the device has changed again.
thread_local std::uint64_t wait_at_hand = 0;
std::uint64_t this_wait() {
  static std::atomic<std::uint64_t> waits{0};
  if (wait_at_hand == 0) wait_at_hand = ++waits;
  return wait_at_hand;
}
struct EndOfWait {
  ~EndOfWait() { wait_at_hand = 0; }
};

// Tells what changed. True if there are ranges and all of them could be looked at.
bool check(std::uint64_t call, Phase phase, Look look, std::span<const std::byte> pointers = {}) {
  if (!there_are_ranges()) return false;
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  if (all.ranges.begin_look(look)) return true;
  const TellChange tell_delta = [&](const std::byte* address, std::span<const std::byte> bytes) {
    host_delta(call, phase, address, bytes);
    if (look != Look::whole) all.ranges.host_wrote_at(address);
  };
  const auto begin = LookBudget::Clock::now();
  Comparison comparison(blobs().workers(), tell_delta);
  const HostRanges::Task task{.look = look,
                              .pointers = pointers,
                              .may_look = may_look,
                              .graphs = graphs_may_work(),
                              .pages_may_come = pages_may_come.load(),
                              .read = managed_reader(),
                              .wait = wait_at_hand};
  const HostRanges::Result result = all.ranges.look(task, comparison);
  for (HostRange* const range : result.gone) {
    tell(call, HostRangeOperation::ends, *range, 0);
    all.ranges.remove(*range);
  }
  all.budget.measured(comparison.bytes(), LookBudget::Clock::now() - begin);
  return result.complete;
}

std::atomic<std::uint64_t> rested{0};  // Work::given when the device was last told to rest
std::atomic<std::uint64_t> idled{0};   // the same, of a rest at which not everything was looked at

// The thread's wait began without a look at what the host wrote: if all rests when it is over, that is
// recorded before the next work.
thread_local bool unlooked = false;

bool look_at_all(std::uint64_t call, Phase phase) {
  const auto begin = std::chrono::steady_clock::now();
  const bool complete = check(call, phase, Look::whole);
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  all.budget.spent(std::chrono::steady_clock::now() - begin);
  return complete;
}

void settle(std::uint64_t call) {
  const Work now = work();
  if (!now.at_rest || idled.load() != now.given || rested.exchange(now.given) == now.given) return;
  check(call, Phase::entry, Look::host_at_rest);  // what the host wrote since, as before any work
  if (!look_at_all(call, Phase::exit)) return;
  raise(graphs_rested, now.given);
  wj_emit_host_rest(next_sequence(), call);
}

// Fresh memory takes longer to get than to fill.
void make_room(const HostRanges& ranges, std::span<const Copied> copies) {
  constexpr std::size_t part = std::size_t{2} << 20;
  std::vector<std::pair<const HostRange*, std::span<const std::byte>>> parts;
  for (const Copied& copy : copies) {
    const HostRange* const range = keeper(ranges, copy.box);
    for (std::size_t at = 0; range != nullptr && at < copy.box.extent(); at += part) {
      const std::span bytes(copy.box.base + at, std::min(part, copy.box.extent() - at));
      if (!range->has_room(bytes)) parts.emplace_back(range, bytes);
    }
  }
  blobs().workers().each(parts.size(), [&](std::size_t i) { parts[i].first->make_room(parts[i].second); });
}

// A copy that no range keeps, or `range` only some of.
void tell_elsewhere(const Copied& copy, HostRange* range) {
  const Box& box = copy.box;
  std::vector<std::byte> storage;
  payload(copy.call, copy.phase, copy.name, box.base, packed(box, storage));
  if (range == nullptr) return;
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y) {
      range->learn(box.base + z * box.plane_pitch + y * box.row_pitch, box.width, blobs().workers());
    }
  }
}

bool may_look_at_all() {
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  return all.budget.allows(all.ranges.bytes());
}

}  // namespace

void settle_host_memory(const Call& call) { settle(call.sequence); }
void settle_host_memory_at_end() {
  // The driver may have gone before, and this memory with it.
  const auto count = real<CUresult (*)(int*)>(Entry::cuDeviceGetCount);
  int devices = 0;
  if (there_are_ranges() && count && count(&devices) == CUDA_SUCCESS) settle(traces::kNoCall);
}
void graph_ends(const Call& call) {
  if (graphs_may_work()) settle_host_memory(call);
}

void pinned_begins(const Call& call, void* address, std::size_t size) {
  begin(call, HostRangeKind::pinned, address, size, device_address_of(address));
}

void registered_begins(const Call& call, void* address, std::size_t size) {
  begin(call, HostRangeKind::registered, address, size, device_address_of(address));
}

void managed_memory_begins(const Call& call, std::uint64_t address, std::size_t size) {
  prepare_managed_reader();
  begin(call, HostRangeKind::managed, reinterpret_cast<void*>(address), size, address);
}

void graph_memory_begins(const Call& call, const Box& box) {
  if (!box.empty() && !any_range_holds(box, true)) {
    begin(call, HostRangeKind::graph, const_cast<std::byte*>(box.base), box.extent(), 0);
  }
}

void range_ends(const Call& call, const void* address) {
  settle_host_memory(call);
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  HostRange* const range = all.ranges.beginning_at(static_cast<const std::byte*>(address));
  if (range == nullptr) return;
  abandon_copies(Box::line(range->begin(), range->size()), "its memory was freed before it was waited for");
  tell(call.sequence, HostRangeOperation::ends, *range, 0);
  all.ranges.remove(*range);
}

bool in_host_range(const Box& box) { return any_range_holds(box, false); }

void managed_pages_move() { pages_may_come.store(true); }
void managed_prefetch(const Call& call) {
  managed_pages_move();
  host_wrote(call);
}

void host_wrote(const Call& call) { host_wrote(call, work(), {}); }
void host_wrote(const Call& call, Work before, std::span<const std::byte> pointers) {
  const Look look = before.at_rest ? Look::host_at_rest : Look::host;
  if (check(call.sequence, Phase::entry, look, pointers) && before.at_rest)
    raise(graphs_rested, before.given);
}
void graph_starts(const Call& call) {
  launches_graph = true;
  work_given(call);
  launches_graph = false;
  raise(graph_given, work().given);
}
void wait_begins(const Call& call) {
  unlooked = there_are_ranges() && !may_look_at_all();
  if (!unlooked) host_wrote(call);
}
void device_wrote(const Call& call) {
  const EndOfWait end;
  if (!there_are_ranges()) return;
  const bool skipped = std::exchange(unlooked, false);
  // Another thread may give the device work while this one looks.
  const Work before = work();
  if (before.at_rest && (skipped || rested.load() == before.given || !may_look_at_all())) {
    // What the host writes from here on is recorded before the next work, and is known to be the host's.
    if (rested.load() != before.given && idled.exchange(before.given) != before.given)
      wj_emit_host_idle(next_sequence(), call.sequence);
    return;
  }
  if (skipped) check(call.sequence, Phase::entry, Look::host);
  const bool complete = look_at_all(call.sequence, Phase::exit);
  const Work after = work();
  if (!complete || !before.at_rest || !after.at_rest || before.given != after.given) return;
  raise(graphs_rested, before.given);
  if (rested.exchange(after.given) != after.given) wj_emit_host_rest(next_sequence(), call.sequence);
}
void device_wrote_before(std::uint64_t call) { look_at_all(call, Phase::exit); }
void host_function_wrote(std::uint64_t call) { look_at_all(call, Phase::later); }

void tell_copied(std::span<const Copied> copies) {
  if (!there_are_ranges()) {
    for (const Copied& copy : copies) tell_elsewhere(copy, nullptr);
    return;
  }
  Memory& all = memory();
  const std::lock_guard lock(all.mutex);
  make_room(all.ranges, copies);
  std::vector<Move> moves;
  std::vector<KeptPayload> kept;
  for (const Copied& copy : copies) {
    HostRange* const range = keeper(all.ranges, copy.box);
    if (range == nullptr) continue;
    const std::span<const std::byte> bytes(copy.box.base, copy.box.extent());
    moves.push_back({bytes, range->learned(bytes.data(), bytes.size(), this_wait())});
    kept.push_back({copy.call, copy.phase, copy.name, bytes.data(), {moves.back().to, bytes.size()}});
  }
  copy_side_by_side(moves, blobs().workers());
  kept_payloads(kept);
  for (const Copied& copy : copies)
    if (keeper(all.ranges, copy.box) == nullptr) tell_elsewhere(copy, all.ranges.at(copy.box.base));
}

void device_works() {
  if (!managed_memory_is_concurrent()) raise(kernels_given, work().given);
}
void device_rests(std::uint64_t covered) { raise(kernels_waited, covered); }

}  // namespace wedjat::interposer
