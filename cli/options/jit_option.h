// --jit: whether kernels become native code.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/library/wedjat.h"
#include "emulator/compile/tier/tier.h"

namespace wedjat::cli {

enum class Jit { off, hot, all };

struct JitOption {
  Jit jit = Jit::hot;
  std::string features;
  std::string cache;  ///< folder, `off`, or empty: compile::usual_code_cache
};

void add_jit_option(CLI::App& command, JitOption& option);
/// Throws device::Refused if native code, for which `option` asks, cannot be made because of what is
/// `missing`.
void require_native_code(const std::string& option, const std::string& missing);
/// Null if kernels are to be interpreted. Throws device::Refused if native code is asked for and none can be
/// made; what goes wrong later is a warning on standard error.
std::shared_ptr<compile::Tier> make_tier(const JitOption& option);
/// The same for a device of the library; `to` refers to `option`.
void choose(const JitOption& option, WedjatRunOptions& to);

}  // namespace wedjat::cli
