#include "interposer/shim/memory/streams.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/driver/of_this_thread.h"
#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/events/sequence.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/pending.h"

namespace wedjat::interposer {
namespace {

// cuda.h's CU_STREAM_LEGACY and CU_STREAM_PER_THREAD, which are macros.
constexpr std::uint64_t kLegacy = 1;
constexpr std::uint64_t kPerThread = 2;

struct Streams {
  std::mutex mutex;
  Timeline timeline;
  std::map<CUstream, std::uint64_t> apart;  // non-blocking streams -> their context
  std::uint64_t given = 0;
  std::atomic<std::uint64_t> being_given{0};  // of these the driver may not have yet
  std::atomic<std::uint64_t> snapshots{0};    // how often it was noted what a call waits for

  bool at_rest() const { return being_given.load() == 0 && timeline.at_rest(); }
};

Streams& streams() {
  static Streams& all = *new Streams;
  return all;
}

// What the thread's call waits for, noted before it waits.
struct Covered {
  Clock clock;
  std::uint64_t copies = 0;  // those that a context's wait covers are numbered below
  std::uint64_t given = 0;   // Work::given of all that it covers, or 0 where it may not cover all of that
};
Covered& covered() { return of_this_thread<Covered, Covered>(); }

void note_covered(Streams& all, Clock clock) {
  covered().clock = std::move(clock);
  ++all.snapshots;
}

// Work that the thread's call gives the device.
struct Giving {
  bool open = false;
  StreamKey stream = 0;
  std::uint64_t snapshots = 0;
};
thread_local Giving giving;

// The per-thread default stream: one a thread and context.
StreamKey own_stream(std::uint64_t context) {
  struct Names;
  auto& names = of_this_thread<std::unordered_map<std::uint64_t, std::unique_ptr<char>>, Names>();
  std::unique_ptr<char>& name = names[context];
  if (!name) name = std::make_unique<char>();
  return as_field(name.get());
}

int device_of(CUcontext context) {
  const auto push = real<CUresult (*)(CUcontext)>(Entry::cuCtxPushCurrent_v2);
  const auto pop = real<CUresult (*)(CUcontext*)>(Entry::cuCtxPopCurrent_v2);
  const auto get = real<CUresult (*)(CUdevice*)>(Entry::cuCtxGetDevice);
  CUdevice device = -1;
  if (!push || !pop || !get || push(context) != CUDA_SUCCESS) return device;
  if (get(&device) != CUDA_SUCCESS) device = -1;
  pop(&context);
  return device;
}

std::uint64_t handle(CUevent event) { return as_field(event); }

void finished(const Clock& done) {
  copies_done(done);
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  all.timeline.done(done);
}

StreamKey key_of(const Call& call, std::uint64_t context) {
  const std::uint64_t stream = as_field(call.stream);
  if (stream == kPerThread || (stream == 0 && call.per_thread)) return own_stream(context);
  if (stream == 0 || stream == kLegacy) return Timeline::legacy(context);
  return stream;
}

// A stream works in the context it was made in, whichever is current.
void tell_context(const Call& call, std::uint64_t context) {
  thread_local std::uint64_t told = 0;
  if (context == told) return;
  told = context;
  wj_emit_context(next_sequence(), call.sequence, context, device_of(reinterpret_cast<CUcontext>(context)));
}

std::atomic<bool> ever_captured{false};
std::atomic<int> captures{0};

}  // namespace

std::uint64_t current_context() {
  CUcontext context = nullptr;
  if (const auto get = real<CUresult (*)(CUcontext*)>(Entry::cuCtxGetCurrent)) get(&context);
  return as_field(context);
}

StreamKey stream_key(const Call& call) {
  const std::uint64_t context = current_context();
  const StreamKey key = key_of(call, context);
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  all.timeline.stream_begins(key, context, true);
  return key;
}

void tell_context(const Call& call) {
  std::uint64_t context = 0;
  if (as_field(call.stream) > kPerThread) {
    Streams& all = streams();
    const std::lock_guard lock(all.mutex);
    context = all.timeline.context_of(as_field(call.stream));
  }
  tell_context(call, context ? context : current_context());
}

std::uint64_t enqueue(StreamKey stream) {
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  return all.timeline.enqueue(stream);
}

Clock reached_by_stream(StreamKey stream) {
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  return all.timeline.reached_by_stream(stream);
}

void covers_stream(const Call& call) {
  const StreamKey stream = stream_key(call);
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  note_covered(all, all.timeline.reached_by_stream(stream));
}

void covers_event(CUevent event) {
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  note_covered(all, all.timeline.reached_by_event(handle(event)));
}

void covers_copies() { covered().copies = copies_expected(); }

void covers_context(CUcontext context) {
  covers_copies();
  const std::uint64_t which = context ? as_field(context) : current_context();
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  covered().given = all.being_given.load() == 0 ? all.given : 0;
  note_covered(all, all.timeline.reached_by_context(which));
}

void capture_begins() {
  ever_captured.store(true);
  ++captures;
}

void capture_ends() {
  int now = captures.load();  // the end of none is an error of the application
  while (now > 0 && !captures.compare_exchange_weak(now, now - 1)) {
  }
}

bool captures_under_way() { return captures.load() > 0; }

bool capturing(const Call& call) {
  if (!ever_captured.load()) return false;  // asking takes as long as a tracepoint
  const auto ask = real<CUresult (*)(CUstream, CUstreamCaptureStatus*)>(
      call.per_thread ? Entry::cuStreamIsCapturing_ptsz : Entry::cuStreamIsCapturing);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return ask && ask(call.stream, &status) == CUDA_SUCCESS && status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

void stream_begins(CUstream stream, unsigned flags) {
  const std::uint64_t context = current_context();
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  all.timeline.stream_ends(as_field(stream));  // a handle used before
  all.timeline.stream_begins(as_field(stream), context, (flags & CU_STREAM_NON_BLOCKING) == 0);
  if (flags & CU_STREAM_NON_BLOCKING) all.apart[stream] = context;
}

void stream_ends(CUstream stream) {
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  all.apart.erase(stream);
}

std::vector<CUstream> streams_apart() {
  const std::uint64_t context = current_context();
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  std::vector<CUstream> list;
  for (const auto& [stream, of] : all.apart)
    if (of == context) list.push_back(stream);
  return list;
}

void stream_waits(const Call& call, CUevent event) {
  if (capturing(call)) return;
  const StreamKey stream = stream_key(call);
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  all.timeline.wait(stream, handle(event));
}

void event_recorded(const Call& call, CUevent event) {
  if (capturing(call)) return;
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  all.timeline.record(handle(event), covered().clock);
}

void event_ends(CUevent event) {
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  all.timeline.event_ends(handle(event));
}

void work_given(const Call& call, Tell tell, std::span<const std::byte> pointers) {
  if (capturing(call)) {
    if (tell == Tell::context) tell_context(call);
    return host_wrote(call, Work{}, pointers);
  }
  const std::uint64_t current = current_context();
  const StreamKey stream = key_of(call, current);
  std::uint64_t context = 0;
  Work before;
  {
    Streams& all = streams();
    const std::lock_guard lock(all.mutex);
    before = {all.given, all.at_rest()};
    context = all.timeline.enqueue(stream, current);
    ++all.given;
    if (tell == Tell::nothing) note_covered(all, all.timeline.reached_by_stream(stream));
    if (!giving.open) ++all.being_given;
    giving = {true, stream, all.snapshots.load()};
  }
  if (tell == Tell::context) tell_context(call, context);
  host_wrote(call, before, pointers);
}

void work_taken() {
  if (!std::exchange(giving.open, false)) return;
  Streams& all = streams();
  if (all.snapshots.load() != giving.snapshots) {
    // Once more, behind what waits of other threads cover.
    const std::lock_guard lock(all.mutex);
    all.timeline.enqueue(giving.stream);
    ++all.given;
  }
  --all.being_given;
}

Work work() {
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  return {all.given, all.at_rest()};
}

void stream_done(const Call& call) { copied(call); }

void event_done(const Call& call) {
  finished(covered().clock);
  device_wrote(call);
}

void context_done(const Call& call, CUcontext context) {
  const std::uint64_t which = context ? as_field(context) : current_context();
  copies_of_context_done(which, covered().copies);
  finished(covered().clock);
  device_rests(covered().given);
  device_wrote(call);
}

void freed(const Call& call) {
  copies_of_context_done(current_context(), covered().copies);
  device_wrote(call);
}

void everything_done(const Call& call) { context_done(call, nullptr); }

void stream_finished() {
  finished(covered().clock);
  // The call itself waited for the work that it gave.
  if (std::exchange(giving.open, false)) --streams().being_given;
}

void copied(const Call& call) {
  stream_finished();
  device_wrote(call);
}

}  // namespace wedjat::interposer
