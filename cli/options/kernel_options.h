// Options of every command that runs kernels.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/library/wedjat.h"
#include "emulator/device/device.h"
#include "emulator/kernel/ptxas/contract.h"

namespace wedjat::cli {

// --contract=none|ptxas
void add_contract_option(CLI::App& command, kernel::Contract& contract);
// --step-limit, --launch-step-limit, --stack-limit
void add_limit_options(CLI::App& command, device::LaunchLimits& limits);
// Both for a device of the library.
void choose(kernel::Contract contract, const device::LaunchLimits& limits, WedjatRunOptions& to);

}  // namespace wedjat::cli
