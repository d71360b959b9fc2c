// Contents of memory at addresses, piece by piece; what repeats is kept once. FORMAT.md has the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace wedjat::traces {

struct Run {
  std::uint64_t address = 0, bytes = 0;
  std::vector<std::byte> pattern;  // repeated until `bytes` are full; never empty

  std::vector<std::byte> contents() const;
};
using Runs = std::vector<Run>;

// Adds what lies at `address`: parts that hold the same eight bytes again and again take no room.
void add_contents(Runs& runs, std::uint64_t address, std::span<const std::byte> contents);

std::uint64_t bytes_of(const Runs& runs);

// Both throw FormatError.
void write_runs(const std::filesystem::path& file, const Runs& runs);
Runs read_runs(const std::filesystem::path& file);

}  // namespace wedjat::traces
