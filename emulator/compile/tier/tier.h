// The compiled tier as the rest of the program sees it: nothing of LLVM.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "emulator/compile/tier/journal.h"
#include "emulator/exec/cta/launch.h"
#include "emulator/exec/warp/compiled.h"

namespace wedjat::compile {

enum class When : std::uint8_t {
  hot,     ///< in the background, once a place was visited often
  always,  ///< before a place is run for the first time
};

struct TierOptions {
  When when = When::hot;
  std::string features = {};  ///< of the processor, to leave out or to add: "-avx512f"
  /// Told what code could not be made of, and why; absent: nobody.
  std::function<void(const std::string&)> tell = {};
  /// Not 0: native code is left again and again at places that this number chooses, for tests.
  std::uint32_t leave = 0;
  /// Where code is kept from one process to the next; empty: nowhere.
  std::filesystem::path cache = {};
  std::uint64_t cache_bytes = std::uint64_t{256} << 20;  ///< that may take there, about
};

/// Has to go before what its process frees at its end: code may be in the making.
class Tier {
 public:
  explicit Tier(const TierOptions& options);
  ~Tier();

  /// The native code of the launch's kernel, for a launch like this; the caller holds it while the launch
  /// runs. Null if the kernel is nobody's.
  std::shared_ptr<exec::NativeKernel> code_for(const exec::Launch& launch);
  /// Of all kernels that were launched so far, by name.
  std::vector<KernelReport> reports() const;
  /// Why no code can be made; empty: it can. Opens the compiler's library.
  std::string missing();
  /// No more code is made; what is in the making is waited for, and kept. Whoever cannot let the tier go
  /// before the process ends asks for it then.
  void stop();
  /// Writes what was made to where code is kept.
  void keep();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wedjat::compile
