// How much of this machine a recording may ask for.
#pragma once

#include <cstdint>

namespace wedjat::traces {

// Bytes that one of a recording's contents, copies or ranges may take at once: a quarter of the machine's
// memory.
std::uint64_t default_memory_limit();

struct ReadLimits {
  std::uint64_t memory = default_memory_limit();
  std::uint64_t unpacked = 0;  // bytes of all files of a packed trace; 0: as traces/read/archive.h has it
};

}  // namespace wedjat::traces
