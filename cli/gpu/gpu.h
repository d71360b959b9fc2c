// Kernels on the GPU of this machine, compiled by its driver at any level. What a kernel does to the driver
// costs a process of ours, which is not this one.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/expect/runner.h"

namespace wedjat::gpu {

inline constexpr unsigned levels = 5;  ///< of the driver's compiler, 0 to 4

class Runner;

/// Any number of threads may ask; each that asks at the same time has a process with a context of its own.
class Gpu {
 public:
  /// `seconds` a kernel may take, its compilation included.
  explicit Gpu(double seconds = 60);
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  /// As expect::results, of inputs that are one launch of scalars and buffers. A failure names what the
  /// driver says, or what became of the process. Throws std::invalid_argument for other inputs, and
  /// std::runtime_error if there is no driver.
  expect::Results results(const expect::Inputs& inputs, unsigned level);

 private:
  std::unique_ptr<Runner> take();

  double seconds_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Runner>> idle_;
};

}  // namespace wedjat::gpu
