// Whether kernels can be run, asked without a device.
#pragma once
#include <optional>

#include "emulator/ptx/module/link.h"
#include "emulator/ptx/text/error.h"

namespace wedjat::kernel {

struct FoundRefusal {
  ptx::Error error;
  bool is_legal;  // PTX with an instruction that is typed and not run
};

/// Why `function`, an entry or not, cannot be run; nothing if it can. It is lowered as if all were loaded.
std::optional<FoundRefusal> refusal_of(const ptx::Program& program, ptx::SymbolId function);

}  // namespace wedjat::kernel
