// Options of every command that runs kernels.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

#include "emulator/kernel/ptxas/contract.h"

namespace wedjat::cli {

// --contract=none|ptxas
void add_contract_option(CLI::App& command, kernel::Contract& contract);
// --step-limit N: device::DeviceOptions::step_limit
void add_step_limit_option(CLI::App& command, std::uint64_t& step_limit);

}  // namespace wedjat::cli
