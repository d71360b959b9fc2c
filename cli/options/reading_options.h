// Options of every command that reads recordings.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "cli/terminal/terminal.h"
#include "traces/read/limits.h"
#include "traces/replay/state/options.h"

namespace wedjat::cli {

// --memory-limit: `what` may be so much.
void add_memory_limit(CLI::App& command, std::uint64_t& limit, const std::string& what);
// --memory-limit, --unpack-limit
void add_limit_options(CLI::App& command, traces::ReadLimits& limits);

// The replay keeps to the limits, shows how far it is, and ends between launches when a signal came.
// `progress` lives as long as `replay` is used.
void prepare_replay(traces::ReplayOptions& replay, const traces::ReadLimits& limits, Progress& progress);

}  // namespace wedjat::cli
