// Kernels on the GPU of this machine, compiled by its driver at any level. What a kernel does to the driver
// costs a process of ours, which is not this one.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cli/expect/runner.h"

namespace wedjat::gpu {

inline constexpr unsigned levels = 5;  ///< of the driver's compiler, 0 to 4

class Runner;

struct Options {
  std::string ptxas;    ///< a program that compiles; empty: the driver does
  double seconds = 60;  ///< that a kernel may take; with a ptxas of our own, its compilation not included
  /// So many processes run kernels: contexts beside each other cost the GPU much. A driver that compiles does
  /// it in these processes.
  unsigned contexts = 2;
};

/// Any number of threads may ask.
class Gpu {
 public:
  explicit Gpu(Options options);
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  /// As expect::results, of inputs that are one launch of scalars and buffers. A failure names what the
  /// driver says, or what became of the process. Throws std::invalid_argument for other inputs, and
  /// std::runtime_error if there is no driver.
  expect::Results results(const expect::Inputs& inputs, unsigned level);

  /// The same of kernels that stand in one file, `text`, with names of their own: compiled and loaded once.
  std::vector<expect::Results> results(std::span<const expect::Inputs> all, const std::string& text,
                                       unsigned level);

  /// Of whoever compiles: ptxas has one less, its -O3 is the driver's 4.
  unsigned levels() const { return options_.ptxas.empty() ? gpu::levels : gpu::levels - 1; }

 private:
  class Turn;

  std::string compiled(const std::string& ptx, unsigned level, std::string& refused) const;

  Options options_;
  std::mutex mutex_;
  std::condition_variable freed_;
  unsigned busy_ = 0;
  std::vector<std::unique_ptr<Runner>> idle_;
};

}  // namespace wedjat::gpu
