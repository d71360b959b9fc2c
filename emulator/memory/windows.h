// Where state spaces appear in the generic address space (PTX ISA 5.2). Chosen above 2^47, where no program
// on Linux has memory unless it asks for that very place: neither recorded allocations nor the host's stack
// lie there, and addresses of both may be the device's, too.
#pragma once
#include <cstdint>

namespace wedjat::memory {

struct Window {
  std::uint64_t base, size;
  constexpr bool contains(std::uint64_t address) const { return address - base < size; }
};

/// Shared memory of a whole cluster: CTA after CTA by rank, each in 16 MiB of its own, as on hardware.
inline constexpr Window shared_window{0x0000800080000000u, 0x10000000u};
inline constexpr std::uint64_t shared_stride = 0x01000000u;
/// The first KiB of each belongs to the system: the first variable lies behind it.
inline constexpr std::uint64_t shared_reserved = 0x400u;
inline constexpr Window local_window{0x00008000a0000000u, 0x10000000u};
/// A kernel's parameters: their address in .param is already this generic address.
inline constexpr Window param_window{0x00008000c0000000u, 0x00100000u};
/// Blocks of the device heap; not a state space, but nothing else may be placed here. Kernels keep these
/// pointers, some with a mark in the upper bits, so they lie below 2^47 as those of a GPU do.
inline constexpr Window heap_window{0x0000100000000000u, 0x1000000000u};
/// Texels of arrays: only surface instructions reach them.
inline constexpr Window array_window{0x0000900000000000u, 0x100000000000u};

}  // namespace wedjat::memory
