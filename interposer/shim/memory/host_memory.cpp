#include "interposer/shim/memory/host_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
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
#include "interposer/shim/ranges/host_range.h"
#include "interposer/shim/ranges/look_budget.h"
#include "interposer/shim/ranges/page_faults.h"

namespace wedjat::interposer {
namespace {

using traces::HostRangeKind;
using traces::HostRangeOperation;

struct Ranges {
  std::mutex mutex;
  std::map<const std::byte*, std::unique_ptr<HostRange>> by_address;
  std::atomic<std::size_t> count{0};  // of them
  std::size_t bytes = 0;              // of all
  std::vector<HostRange*> loud;       // those that can change without a page fault, once known
  bool loud_known = false;
  FaultAccount faults;
  LookBudget budget;
  OftenWritten often;
  std::array<const std::byte*, 4> written{};  // where the host was last seen to write
  std::size_t prepared = 0;                   // bytes of all that there was room for before it was known

  void add(std::unique_ptr<HostRange> range) {
    auto& place = by_address[range->begin()];
    if (place) bytes -= place->size();
    bytes += range->size();
    place = std::move(range);
    changed();
  }
  void remove(std::map<const std::byte*, std::unique_ptr<HostRange>>::iterator place) {
    bytes -= place->second->size();
    by_address.erase(place);
    changed();
  }
  std::vector<HostRange*> every_one() const {
    std::vector<HostRange*> all;
    for (const auto& [begin, range] : by_address) all.push_back(range.get());
    return all;
  }
  const std::vector<HostRange*>& those_loud() {
    if (!loud_known) loud = every_one();
    std::erase_if(loud, [](const HostRange* range) { return range->is_silent(); });
    loud_known = true;
    return loud;
  }

  HostRange* at(const std::byte* address) {
    const auto above = by_address.upper_bound(address);
    if (above == by_address.begin()) return nullptr;
    HostRange& range = *std::prev(above)->second;
    return address < range.end() ? &range : nullptr;
  }

 private:
  void changed() {
    count = by_address.size();
    loud_known = false;
  }
};

Ranges& ranges() {
  static Ranges& all = *new Ranges;
  return all;
}

// So many are worth waking threads for, to ask the kernel of them.
constexpr std::size_t kManyRanges = 32;

// Asking takes as long as the pages are many.
constexpr std::size_t kNear = std::size_t{256} << 10, kAround = std::size_t{2} << 20;

// Where work follows work all of what the device takes away becomes known at once. Fresh memory for it takes
// longer than all else of that, so it is made while the program fills its own; but not all too much of it.
constexpr std::size_t kPrepared = std::size_t{64} << 20;

void prepare(Ranges& all, HostRange& range) {
  const std::size_t size = std::min(range.size(), kPrepared - all.prepared);
  if (range.kind() != HostRangeKind::managed || size < kAround || !blobs().workers().to_spare()) return;
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

bool any_range_holds(const Box& box, bool of_graphs_too) {
  Ranges& all = ranges();
  if (all.count.load() == 0) return false;
  const std::lock_guard lock(all.mutex);
  const HostRange* const range = all.at(box.base);
  return range != nullptr && (of_graphs_too || range->kind() != HostRangeKind::graph) &&
         contains(*range, box);
}

// Where something else begins the program has freed what a graph copied from or to.
void end_graph_memory(Ranges& all, std::uint64_t call, const HostRange& where) {
  for (auto place = all.by_address.begin(); place != all.by_address.end();) {
    const auto here = place++;
    const HostRange& range = *here->second;
    if (range.kind() != HostRangeKind::graph || range.end() <= where.begin() || where.end() <= range.begin())
      continue;
    tell(call, HostRangeOperation::ends, range, 0);
    all.remove(here);
  }
}

void begin(const Call& call, HostRangeKind kind, void* address, std::size_t size,
           std::uint64_t device_address) {
  if (address == nullptr || size == 0) return;
  populate_own_pages();
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  auto range = std::make_unique<HostRange>(kind, static_cast<std::byte*>(address), size, all.faults);
  if (kind != HostRangeKind::graph) end_graph_memory(all, call.sequence, *range);
  tell(call.sequence, HostRangeOperation::begins, *range, device_address);
  prepare(all, *range);
  all.add(std::move(range));
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

// Looks where the host has probably written: within so many bytes of the pointers that the call hands over,
// and of where it wrote before. True if that, with `faults` before, explains all page faults since the last
// look.
bool look_within(std::size_t size, Ranges& all, std::span<const std::byte> pointers, Comparison& comparison,
                 std::uint64_t& faults) {
  const std::byte* last = nullptr;
  const auto look = [&](const std::byte* address) {
    HostRange* const range = address == last ? nullptr : all.at(address);
    if (range == nullptr) return false;
    last = address;
    const std::uint64_t explained = range->changes_near(address, size, comparison, all.often).faults;
    if (!range->is_silent()) all.loud_known = false;  // the kernel does not tell of it any more
    faults += explained;
    return explained > 0 && all.faults.all_explained(faults);
  };
  for (std::size_t at = 0; at + sizeof(void*) <= pointers.size(); at += sizeof(void*)) {
    const std::byte* address = nullptr;
    std::memcpy(&address, pointers.data() + at, sizeof address);
    if (look(address)) return true;
  }
  const auto written = all.written;  // which looking changes
  return std::ranges::any_of(written, look);
}

bool look_nearby(Ranges& all, std::span<const std::byte> pointers, Comparison& comparison) {
  std::uint64_t faults = 0;
  return look_within(kNear, all, pointers, comparison, faults) ||
         look_within(kAround, all, pointers, comparison, faults);
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

// True if all of them could be looked at.
bool look_at(Ranges& all, const std::vector<HostRange*>& which, std::uint64_t call, Look look, bool quiet,
             Comparison& comparison) {
  bool complete = true;
  const ReadDevice read = managed_reader();
  if (which.size() >= kManyRanges)
    blobs().workers().each(which.size(), [&](std::size_t i) { which[i]->ask(quiet); });
  const bool graphs = graphs_may_work();
  for (HostRange* const range : which) {
    if (range->kind() == HostRangeKind::graph && !graphs) continue;
    const bool looks = may_look(*range);
    complete = complete && looks;
    const bool is_quiet = quiet && (range->kind() != HostRangeKind::managed || !pages_may_come.load());
    if (!looks || range->changes(look, is_quiet, read, comparison, wait_at_hand).there) continue;
    tell(call, HostRangeOperation::ends, *range, 0);
    all.remove(all.by_address.find(range->begin()));
  }
  return complete;
}

// Tells what changed. True if there are ranges and all of them could be looked at.
bool check(std::uint64_t call, Phase phase, Look look, std::span<const std::byte> pointers = {}) {
  Ranges& all = ranges();
  if (all.count.load() == 0) return false;
  const std::lock_guard lock(all.mutex);
  const TellChange tell_delta = [&](const std::byte* address, std::span<const std::byte> bytes) {
    host_delta(call, phase, address, bytes);
    if (look == Look::whole || std::ranges::find(all.written, address) != all.written.end()) return;
    std::copy_backward(all.written.begin(), all.written.end() - 1, all.written.end());
    all.written[0] = address;
  };
  const auto begin = LookBudget::Clock::now();
  Comparison comparison(blobs().workers(), tell_delta);
  bool quiet = all.faults.quiet_since_last();
  if (!quiet && look != Look::whole) quiet = look_nearby(all, pointers, comparison);
  bool complete = !all.by_address.empty();
  const bool loud_only = quiet && look != Look::whole;
  const std::vector<HostRange*> which = loud_only ? all.those_loud() : all.every_one();
  if (!loud_only) all.loud_known = false;
  if (which.empty()) {
    comparison.finish();  // what was found nearby
  } else {
    const OwnFaults own(all.faults);
    complete = look_at(all, which, call, look, quiet, comparison) && complete;
    comparison.finish();
  }
  all.budget.measured(comparison.bytes(), LookBudget::Clock::now() - begin);
  all.faults.end();
  return complete;
}

std::atomic<std::uint64_t> rested{0};  // Work::given when the device was last told to rest
std::atomic<std::uint64_t> idled{0};   // the same, of a rest at which not everything was looked at

// The thread's wait began without a look at what the host wrote: if all rests when it is over, that is
// recorded before the next work.
thread_local bool unlooked = false;

bool look_at_all(std::uint64_t call, Phase phase) {
  const auto begin = std::chrono::steady_clock::now();
  const bool complete = check(call, phase, Look::whole);
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  all.budget.spent(std::chrono::steady_clock::now() - begin);
  return complete;
}

bool there_are_ranges() { return ranges().count.load() > 0; }

void settle(std::uint64_t call) {
  const Work now = work();
  if (!now.at_rest || idled.load() != now.given || rested.exchange(now.given) == now.given) return;
  check(call, Phase::entry, Look::host_at_rest);  // what the host wrote since, as before any work
  if (!look_at_all(call, Phase::exit)) return;
  raise(graphs_rested, now.given);
  wj_emit_host_rest(next_sequence(), call);
}

bool may_look_at_all() {
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  return all.budget.allows(all.bytes);
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
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(static_cast<const std::byte*>(address));
  if (found == all.by_address.end()) return;
  abandon_copies(Box::line(found->second->begin(), found->second->size()),
                 "its memory was freed before it was waited for");
  tell(call.sequence, HostRangeOperation::ends, *found->second, 0);
  all.remove(found);
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

void tell_copied(std::uint64_t call, Phase phase, const char* name, const Box& box) {
  Ranges& all = ranges();
  std::vector<std::byte> storage;
  if (all.count.load() == 0) return payload(call, phase, name, box.base, packed(box, storage));
  const std::lock_guard lock(all.mutex);
  HostRange* const range = all.at(box.base);
  if (range != nullptr && box.tight() && contains(*range, box)) {
    const auto bytes = packed(box, storage);
    std::byte* const copy = range->learned(box.base, bytes.size(), this_wait());
    return payload_through(copy, call, phase, name, box.base, bytes);
  }
  payload(call, phase, name, box.base, packed(box, storage));
  if (range == nullptr) return;
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y) {
      range->learn(box.base + z * box.plane_pitch + y * box.row_pitch, box.width, blobs().workers());
    }
  }
}

void device_works() {
  if (!managed_memory_is_concurrent()) raise(kernels_given, work().given);
}
void device_rests(std::uint64_t covered) { raise(kernels_waited, covered); }

}  // namespace wedjat::interposer
