// Recorded launches, as capture/pack.py packs them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wedjat::triton {

struct Buffer {
  std::uint64_t address = 0;
  std::string before, after;  ///< bytes
};

struct Launch {
  std::string name, ptx, entry, parameters;
  std::uint32_t grid[3] = {}, block = 0, cluster = 0, shared = 0;
  std::vector<Buffer> buffers;
};

/// Throws std::runtime_error for a file that cannot be read.
std::vector<Launch> read_launches(const std::filesystem::path& file);

}  // namespace wedjat::triton
