// --contract=none|ptxas, of every command that runs kernels.
#pragma once

#include <CLI/CLI.hpp>

#include "emulator/kernel/contract.h"

namespace wedjat::cli {

void add_contract_option(CLI::App& command, kernel::Contract& contract);

}  // namespace wedjat::cli
