// What became of the native code of each kernel, for people who ask why it is not faster.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "emulator/exec/warp/probe.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::compile {

struct KernelReport {
  std::string kernel;
  unsigned pieces = 0;  ///< of code, those that were made again too
  unsigned kept = 0;    ///< that were there from earlier processes
  double seconds = 0;   ///< that making them took
  /// Instructions before which code is always left: the interpreter does them.
  std::set<std::string> left_at;
  std::set<std::string> failures;  ///< why no code was made of some places
};

/// Several threads write.
class Journal {
 public:
  /// A kernel is to run. Where tools watch it (`probes`, or null), it is left before other instructions.
  void met(const kernel::Kernel& kernel, const exec::Probes* probes);
  /// A piece of its code was made, in so much time.
  void made(const std::string& kernel, double seconds);
  /// So many pieces were kept by earlier processes.
  void found(const std::string& kernel, std::size_t pieces);
  void failed(const std::string& kernel, const std::string& why);
  /// Of all kernels, by name.
  std::vector<KernelReport> reports() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, KernelReport> reports_;
};

}  // namespace wedjat::compile
