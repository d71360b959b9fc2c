// The bytes that may differ from the hardware, with reasons; README.md has the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "traces/replay/state/report.h"

namespace wedjat::traces {

struct Allowed {
  std::uint64_t sequence = 0;         // of the copy
  std::uint64_t first = 0, last = 0;  // bytes of it, both included
  std::string reason;
};

// By Recording::full_name().
using Expectations = std::map<std::string, std::vector<Allowed>>;

// Adds what the file says. Throws FormatError naming file and line.
void read_expectations(const std::filesystem::path& file, Expectations& into);

// Bytes of elements that differ where nothing allows it.
std::uint64_t unexpected_bytes(const ReplayReport& report, const std::vector<Allowed>& allowed);

}  // namespace wedjat::traces
