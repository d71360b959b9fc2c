#include "interposer/shim/host_memory.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "interposer/shim/device_info.h"
#include "interposer/shim/driver.h"
#include "interposer/shim/host_range.h"
#include "interposer/shim/meta_events.h"
#include "interposer/shim/payload.h"
#include "interposer/shim/pending.h"
#include "interposer/shim/read_managed.h"
#include "interposer/shim/streams.h"

namespace wedjat::interposer {
namespace {

using traces::HostRangeKind;
using traces::HostRangeOperation;

struct Ranges {
  std::mutex mutex;
  std::map<const std::byte*, std::unique_ptr<HostRange>> by_address;
};

Ranges& ranges() {
  static Ranges& all = *new Ranges;
  return all;
}

std::atomic<bool> working{false};

void tell(std::uint64_t call, HostRangeOperation operation, const HostRange& range,
          std::uint64_t device_address) {
  wj_emit_host_range(next_sequence(), call, static_cast<std::uint8_t>(operation),
                     static_cast<std::uint8_t>(range.kind()), as_field(range.begin()), device_address,
                     range.size());
}

void begin(const Call& call, HostRangeKind kind, void* address, std::size_t size,
           std::uint64_t device_address) {
  if (address == nullptr || size == 0) return;
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  auto range = std::make_unique<HostRange>(kind, static_cast<std::byte*>(address), size, blobs().workers());
  tell(call.sequence, HostRangeOperation::begins, *range, device_address);
  all.by_address[range->begin()] = std::move(range);
}

std::uint64_t device_address_of(void* address) {
  const auto get = real<CUresult (*)(CUdeviceptr*, void*, unsigned)>(Entry::cuMemHostGetDevicePointer_v2);
  CUdeviceptr device = 0;
  return get && get(&device, address, 0) == CUDA_SUCCESS ? device : 0;
}

bool contains(const HostRange& range, const Box& box) {
  return range.begin() <= box.base && box.base + box.extent() <= range.end();
}

// Where the device forbids the host to touch managed memory during its work, it is looked at when there is
// none.
bool may_look(const HostRange& range) {
  return range.kind() != HostRangeKind::managed || managed_memory_is_concurrent() || !working.load();
}

// How long looking at whole ranges may take: at first freely, then a part of the time that passes.
class Budget {
 public:
  bool allows() const { return spent_ < kFree || spent_ < (Clock::now() - start_) / kPart; }
  void spent(std::chrono::steady_clock::duration time) { spent_ += time; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kFree = std::chrono::milliseconds(20);
  static constexpr int kPart = 4;
  Clock::time_point start_ = Clock::now();
  Clock::duration spent_{};
};

Budget& budget() {
  static Budget& one = *new Budget;  // used under the lock of the ranges
  return one;
}

// Tells what changed. True if there are ranges and all of them could be looked at.
bool check(std::uint64_t call, Phase phase, Look look) {
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  bool complete = !all.by_address.empty();
  const ReadDevice read = look == Look::whole ? managed_reader() : nullptr;
  for (auto next = all.by_address.begin(); next != all.by_address.end();) {
    HostRange& range = *next->second;
    const bool looks = may_look(range);
    complete = complete && looks;
    const bool there =
        !looks || range.changes(look, read, [&](const std::byte* address, std::span<const std::byte> bytes) {
          host_delta(call, phase, address, bytes);
        });
    if (!there) tell(call, HostRangeOperation::ends, range, 0);
    next = there ? std::next(next) : all.by_address.erase(next);
  }
  return complete;
}

std::atomic<std::uint64_t> rested{0};  // Work::given when the device was last told to rest
std::atomic<std::uint64_t> idled{0};   // the same, of a rest at which not everything was looked at

// The thread's wait began without a look at what the host wrote: if all rests when it is over, that is told
// before the next work.
thread_local bool unlooked = false;

bool look_at_all(std::uint64_t call, Phase phase) {
  const auto begin = std::chrono::steady_clock::now();
  const bool complete = check(call, phase, Look::whole);
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  budget().spent(std::chrono::steady_clock::now() - begin);
  return complete;
}

bool there_are_ranges() {
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  return !all.by_address.empty();
}

bool may_look_at_all() {
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  return budget().allows();
}

// What the last rests left unseen, while it is still there.
void settle(const Call& call) {
  const Work now = work();
  if (!now.at_rest || idled.load() != now.given || rested.exchange(now.given) == now.given) return;
  if (look_at_all(call.sequence, Phase::exit)) wj_emit_host_rest(next_sequence(), call.sequence);
}

}  // namespace

void pinned_begins(const Call& call, void* address, std::size_t size) {
  begin(call, HostRangeKind::pinned, address, size, device_address_of(address));
}

void registered_begins(const Call& call, void* address, std::size_t size) {
  begin(call, HostRangeKind::registered, address, size, device_address_of(address));
}

void managed_memory_begins(const Call& call, std::uint64_t address, std::size_t size) {
  begin(call, HostRangeKind::managed, reinterpret_cast<void*>(address), size, address);
}

void graph_memory_begins(const Call& call, const Box& box) {
  if (!box.empty() && !in_host_range(box)) {
    begin(call, HostRangeKind::graph, const_cast<std::byte*>(box.base), box.extent(), 0);
  }
}

void range_ends(const Call& call, const void* address) {
  settle(call);
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(static_cast<const std::byte*>(address));
  if (found == all.by_address.end()) return;
  abandon_copies(Box::line(found->second->begin(), found->second->size()),
                 "its memory was freed before it was waited for");
  tell(call.sequence, HostRangeOperation::ends, *found->second, 0);
  all.by_address.erase(found);
}

bool in_host_range(const Box& box) {
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  auto above = all.by_address.upper_bound(box.base);
  return above != all.by_address.begin() && contains(*std::prev(above)->second, box);
}

void host_wrote(const Call& call) { host_wrote(call, work().at_rest); }
void host_wrote(const Call& call, bool at_rest) {
  check(call.sequence, Phase::entry, at_rest ? Look::host_at_rest : Look::host);
}
void wait_begins(const Call& call) {
  unlooked = there_are_ranges() && !may_look_at_all();
  if (!unlooked) host_wrote(call);
}
void device_wrote(const Call& call) {
  if (!there_are_ranges()) return;
  const bool skipped = std::exchange(unlooked, false);
  // Another thread may give the device work while this one looks.
  const Work before = work();
  if (before.at_rest && (skipped || rested.load() == before.given || !may_look_at_all())) {
    // What the host writes from here on is told before the next work, and is known to be the host's.
    if (rested.load() != before.given && idled.exchange(before.given) != before.given)
      wj_emit_host_idle(next_sequence(), call.sequence);
    return;
  }
  if (skipped) check(call.sequence, Phase::entry, Look::host);
  const bool complete = look_at_all(call.sequence, Phase::exit);
  const Work after = work();
  if (!complete || !before.at_rest || !after.at_rest || before.given != after.given) return;
  if (rested.exchange(after.given) != after.given) wj_emit_host_rest(next_sequence(), call.sequence);
}
void device_wrote_before(std::uint64_t call) { look_at_all(call, Phase::exit); }
void host_function_wrote(std::uint64_t call) { look_at_all(call, Phase::later); }

void known_contents(const Box& box) {
  Ranges& all = ranges();
  const std::lock_guard lock(all.mutex);
  auto above = all.by_address.upper_bound(box.base);
  if (above == all.by_address.begin()) return;
  HostRange& range = *std::prev(above)->second;
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y) {
      range.learn(box.base + z * box.plane_pitch + y * box.row_pitch, box.width);
    }
  }
}

void device_works() { working.store(true); }
void device_rests() { working.store(false); }

}  // namespace wedjat::interposer
