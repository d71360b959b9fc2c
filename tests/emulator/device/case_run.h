// Runs a case on a device of its own.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "emulator/compile/tier/tier.h"
#include "emulator/hooks/hooks.h"
#include "tests/emulator/device/case_file.h"

namespace wedjat::test {

enum class Ending { well, fault, refused };

struct Outcome {
  Ending ending = Ending::well;
  std::string message, printed;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::uint64_t steps = 0, native_steps = 0;
  std::vector<std::vector<std::byte>> buffers;  ///< what each argument holds afterwards; of a value nothing
};

/// `native`: what makes native code of its kernels; null: they are interpreted. `hooks`: who watches.
Outcome run_case(const CaseFile& file, unsigned threads, std::shared_ptr<compile::Tier> native = nullptr,
                 hooks::Hooks* hooks = nullptr);

}  // namespace wedjat::test
