// What launches and replays of the library have in common: host threads, limits, native code, tools,
// printing, and how they are interrupted.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "cli/library/wedjat.h"
#include "emulator/device/device.h"
#include "emulator/hooks/hooks.h"

namespace wedjat::library {

struct RunParts {
  unsigned threads = 0;
  kernel::Contract contract = kernel::Contract::ptxas;
  device::LaunchLimits limits;
  std::shared_ptr<compile::Tier> native;
  std::unique_ptr<hooks::Hooks> hooks;  // null without tools
  std::function<void(std::string_view)> print;
};

// `options` may be null. Throws WrongArgument, ToolError.
RunParts run_parts(const WedjatRunOptions* options);

// Ends the tools and adds what they report: "tools", "unused_suppressions".
void report_tools(hooks::Hooks* hooks, nlohmann::json& to);

// While it lives, wedjat_interrupt() ends what runs.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
};

}  // namespace wedjat::library
