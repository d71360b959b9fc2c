#include "cli/options/reading_options.h"

namespace wedjat::cli {

void add_limit_options(CLI::App& command, traces::ReadLimits& limits) {
  command
      .add_option("--memory-limit", limits.memory,
                  "most memory that one copy, fill or range of a recording may take here, as 8GB (default: "
                  "a quarter of this machine's)")
      ->transform(CLI::AsSizeValue(false));
  command
      .add_option("--unpack-limit", limits.unpacked,
                  "most bytes that a packed trace may unpack to, as 20GB (default: 1GB, or a hundred times "
                  "its own size)")
      ->transform(CLI::AsSizeValue(false));
}

}  // namespace wedjat::cli
