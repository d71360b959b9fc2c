#include "interposer/shim/memory/read_managed.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/sequence.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kPart = std::size_t{2} << 20, kRoom = 2 * kPart;

// What the copies of one context need: a stream that waits for no other, and memory of the driver's own, into
// which it copies several times faster.
struct Way {
  CUstream stream = nullptr;
  void* room = nullptr;
};

struct Ways {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, Way> of_context;
};

Ways& ways() {
  static Ways& all = *new Ways;
  return all;
}

// Empty if the driver gives none.
Way way(std::uint64_t context) {
  Ways& all = ways();
  const auto [place, is_new] = all.of_context.try_emplace(context);
  if (!is_new) return place->second;
  const auto create = real<CUresult (*)(CUstream*, unsigned)>(Entry::cuStreamCreate);
  const auto allocate = real<CUresult (*)(void**, size_t, unsigned)>(Entry::cuMemHostAlloc);
  Way made;
  if (create && allocate && create(&made.stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS &&
      allocate(&made.room, kRoom, 0) == CUDA_SUCCESS)
    place->second = made;
  return place->second;
}

// A thread that records a graph may still copy.
class Relaxed {
 public:
  Relaxed() { exchange(); }
  ~Relaxed() { exchange(); }
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;

 private:
  void exchange() {
    const auto real_exchange =
        real<CUresult (*)(CUstreamCaptureMode*)>(Entry::cuThreadExchangeStreamCaptureMode);
    if (real_exchange) real_exchange(&mode_);
  }
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

bool read(const std::byte* from, std::size_t size, const TakePart& take) {
  const auto copy = real<CUresult (*)(void*, CUdeviceptr, size_t, CUstream)>(Entry::cuMemcpyDtoHAsync_v2);
  const auto wait = real<CUresult (*)(CUstream)>(Entry::cuStreamSynchronize);
  const std::uint64_t context = current_context();
  if (!copy || !wait || context == 0) return false;
  const Relaxed relaxed;
  const std::lock_guard lock(ways().mutex);
  const Way by = way(context);
  if (by.room == nullptr) return false;
  const auto length = [&](std::size_t done) { return std::min(kPart, size - done); };
  const auto place = [&](std::size_t done) {
    return static_cast<std::byte*>(by.room) + done / kPart % 2 * kPart;
  };
  const auto begin = [&](std::size_t done) {
    return done >= size || copy(place(done), as_field(from + done), length(done), by.stream) == CUDA_SUCCESS;
  };
  // One part comes while the one before is taken.
  bool copied = begin(0);
  for (std::size_t done = 0; copied && done < size; done += kPart) {
    copied = wait(by.stream) == CUDA_SUCCESS && begin(done + kPart);
    if (copied) take({place(done), length(done)});
  }
  return copied;
}

}  // namespace

ReadDevice managed_reader() { return read; }

void prepare_managed_reader() {
  const std::uint64_t context = current_context();
  if (context == 0) return;
  const Relaxed relaxed;
  const std::lock_guard lock(ways().mutex);
  way(context);
}

void managed_reader_ends() {
  Ways& all = ways();
  const std::lock_guard lock(all.mutex);
  all.of_context.clear();
}

}  // namespace wedjat::interposer
