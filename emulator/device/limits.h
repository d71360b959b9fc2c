// What a device of compute capability 9.0 can run (CUDA programming guide, "Technical specifications per
// compute capability").
#pragma once
#include <array>
#include <cstdint>

namespace wedjat::device::limits {

inline constexpr std::array<std::uint32_t, 3> grid = {2147483647u, 65535u, 65535u};
/// Of ours: a device takes any product of the above, but years would not be enough for more.
inline constexpr std::uint64_t grid_ctas = std::uint64_t{1} << 40;
inline constexpr std::array<std::uint32_t, 3> block = {1024u, 1024u, 64u};
inline constexpr std::uint32_t threads_per_block = 1024;
inline constexpr std::uint32_t cluster_ctas = 16;                ///< with the non-portable size allowed
inline constexpr std::uint32_t shared_bytes_per_block = 232448;  ///< 227 KiB, static and dynamic together
inline constexpr std::uint32_t parameter_bytes = 32764;          ///< since PTX ISA 8.1
inline constexpr std::uint64_t local_bytes_per_thread = 512 * 1024;
inline constexpr std::uint64_t heap_bytes = 8 * 1024 * 1024;  ///< default of cudaLimitMallocHeapSize

}  // namespace wedjat::device::limits
