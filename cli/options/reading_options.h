// Options of every command that reads recordings.
#pragma once

#include <CLI/CLI.hpp>

#include "traces/read/limits.h"

namespace wedjat::cli {

// --memory-limit, --unpack-limit
void add_limit_options(CLI::App& command, traces::ReadLimits& limits);

}  // namespace wedjat::cli
