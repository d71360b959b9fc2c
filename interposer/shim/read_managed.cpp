#include "interposer/shim/read_managed.h"

#include <algorithm>
#include <cstring>

#include "interposer/shim/driver.h"
#include "interposer/shim/sequence.h"
#include "interposer/shim/streams.h"

namespace wedjat::interposer {
namespace {

constexpr std::size_t kRoom = std::size_t{4} << 20;

// The driver copies several times faster into memory of its own. Kept for good; null if there is none.
void* room() {
  static void* const memory = [] {
    constexpr unsigned kPortable = 1;  // for every context
    void* made = nullptr;
    const auto allocate = real<CUresult (*)(void**, size_t, unsigned)>(Entry::cuMemHostAlloc);
    return allocate && allocate(&made, kRoom, kPortable) == CUDA_SUCCESS ? made : nullptr;
  }();
  return memory;
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

bool read(const std::byte* from, std::span<std::byte> to) {
  const auto copy = real<CUresult (*)(void*, CUdeviceptr, size_t)>(Entry::cuMemcpyDtoH_v2);
  if (!copy || current_context() == 0) return false;
  const Relaxed relaxed;
  void* through = room();
  if (through == nullptr) return copy(to.data(), as_field(from), to.size()) == CUDA_SUCCESS;
  for (std::size_t done = 0; done < to.size(); done += kRoom) {
    const std::size_t size = std::min(kRoom, to.size() - done);
    if (copy(through, as_field(from + done), size) != CUDA_SUCCESS) return false;
    std::memcpy(to.data() + done, through, size);
  }
  return true;
}

}  // namespace

ReadDevice managed_reader() { return work().at_rest ? ReadDevice(read) : nullptr; }

}  // namespace wedjat::interposer
