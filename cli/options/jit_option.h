// --jit: whether kernels become native code.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>

#include "emulator/compile/tier/tier.h"

namespace wedjat::cli {

enum class Jit { off, hot, all };

struct JitOption {
  Jit jit = Jit::hot;
  std::string features;
};

void add_jit_option(CLI::App& command, JitOption& option);
/// Null if kernels are to be interpreted. Throws device::Refused if native code is asked for and none can be
/// made; what goes wrong later is a warning on standard error.
std::shared_ptr<compile::Tier> make_tier(const JitOption& option);

}  // namespace wedjat::cli
