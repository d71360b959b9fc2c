// Kernels that are timed and tested: PTX, launch, inputs, and the results a plain C++ loop finds.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/device/device.h"

namespace wedjat::benchmarks {

struct Workload {
  std::string name, ptx, kernel;
  device::LaunchConfig config;
  std::vector<std::vector<std::uint32_t>>
      buffers;                         ///< bit patterns; the k-th pointer parameter is buffers[k]
  std::vector<std::uint32_t> scalars;  ///< 32-bit parameters, before the pointers
  std::size_t result = 0;              ///< which buffer is compared
  std::function<std::vector<std::uint32_t>()> expected;
};

/// `scale` 1 gives the sizes of the benchmark, larger ones divide them.
Workload saxpy(unsigned scale);
Workload gemm_naive(unsigned scale);
Workload gemm_tiled(unsigned scale);
Workload divergent(unsigned scale);
// Of planes.cu:
Workload stencil(unsigned scale);
Workload reduce_shuffles(unsigned scale);
Workload reduce_shared(unsigned scale);
// Of memory.cu:
Workload block_scan(unsigned scale);
Workload dequantise(unsigned scale);
Workload softmax(unsigned scale);
Workload cas_loop(unsigned scale);
Workload histogram(unsigned scale);
Workload gather(unsigned scale);
Workload sparse(unsigned scale);

inline constexpr Workload (*all_workloads[])(unsigned scale) = {
    gemm_naive, gemm_tiled, saxpy,   divergent, stencil,   reduce_shuffles, reduce_shared,
    block_scan, dequantise, softmax, cas_loop,  histogram, gather,          sparse};

/// A device with the workload's module and buffers, ready to launch any number of times.
class Prepared {
 public:
  /// `native`: what makes native code of its kernels; absent: as WEDJAT_JIT says. `hooks`: who watches.
  Prepared(const Workload& workload, unsigned threads,
           std::optional<std::shared_ptr<compile::Tier>> native = std::nullopt,
           hooks::Hooks* hooks = nullptr);
  /// Whether there may be native code, once launches have run for a while.
  bool makes_code() const { return native_ != nullptr; }
  device::LaunchStatistics launch();
  std::vector<std::uint32_t> result();

 private:
  const Workload& workload_;
  const std::shared_ptr<compile::Tier> native_;
  device::Device device_;
  device::Function function_;
  std::vector<std::byte> parameters_;
  std::vector<std::uint64_t> addresses_;
};

}  // namespace wedjat::benchmarks
