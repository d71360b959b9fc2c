#include "cli/options/reading_options.h"

#include "cli/options/interruption.h"
#include "cli/options/numbers.h"

namespace wedjat::cli {

void add_memory_limit(CLI::App& command, std::uint64_t& limit, const std::string& what) {
  command
      .add_option(
          "--memory-limit", limit,
          "most memory that " + what + " may take here, as 8GB (default: a quarter of this machine's)")
      ->transform(sizes);
}

void add_limit_options(CLI::App& command, traces::ReadLimits& limits) {
  add_memory_limit(command, limits.memory, "one copy, fill or range of a recording");
  command
      .add_option("--unpack-limit", limits.unpacked,
                  "most bytes that a packed trace may unpack to, as 20GB (default: 1GB, or a hundred times "
                  "its own size)")
      ->transform(sizes);
}

void prepare_replay(traces::ReplayOptions& replay, const traces::ReadLimits& limits, Progress& progress) {
  replay.memory_limit = limits.memory;
  replay.progress = [&progress](std::uint64_t done, std::uint64_t all) {
    check_interruption();
    progress.update(done, all);
  };
}

}  // namespace wedjat::cli
