// Functions of the addresses of one warp access.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace wedjat::hooks {

/// Distinct blocks of 2^shift bytes that the lanes of `mask` touch, `bytes` each.
template <unsigned shift>
std::uint64_t distinct_units(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes) {
  std::array<std::uint64_t, 32 * 2> unit;
  std::size_t count = 0;
  bool sorted = true;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t at = address[__builtin_ctz(rest)];
    const std::uint64_t first = at >> shift, last = (at + bytes - 1) >> shift;
    for (const std::uint64_t u : {first, last}) {
      if (count != 0 && unit[count - 1] == u) continue;
      sorted = sorted && (count == 0 || unit[count - 1] < u);
      unit[count++] = u;
    }
  }
  if (!sorted) {
    std::sort(unit.begin(), unit.begin() + static_cast<std::ptrdiff_t>(count));
    count = static_cast<std::size_t>(
        std::unique(unit.begin(), unit.begin() + static_cast<std::ptrdiff_t>(count)) - unit.begin());
  }
  return count;
}

/// Shared memory serves 32 banks of 4 bytes a pass; lanes that want the same word share it. Accesses of 8
/// bytes are served by half warps, of 16 by quarter warps. Passes = sum over these groups of the most
/// distinct words in a bank.
inline std::uint64_t bank_passes(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes) {
  const unsigned groups = bytes >= 16 ? 4 : bytes == 8 ? 2 : 1;
  const unsigned lanes = 32 / groups, words = std::max(1u, bytes / 4);
  std::uint64_t passes = 0;
  for (unsigned g = 0; g < groups; ++g) {
    std::array<std::array<std::uint64_t, 32>, 32> seen;
    std::array<std::uint8_t, 32> count{};
    unsigned most = 0;
    for (unsigned lane = g * lanes; lane < (g + 1) * lanes; ++lane) {
      if (!(mask >> lane & 1)) continue;
      for (unsigned w = 0; w < words; ++w) {
        const std::uint64_t word = address[lane] / 4 + w;
        auto& bank = seen[word % 32];
        std::uint8_t& in_bank = count[word % 32];
        if (std::find(bank.begin(), bank.begin() + in_bank, word) == bank.begin() + in_bank) {
          bank[in_bank++] = word;
          most = std::max<unsigned>(most, in_bank);
        }
      }
    }
    passes += most;
  }
  return passes;
}

/// Of the same lanes, if they spread over the banks: one a group that does anything.
inline std::uint64_t ideal_bank_passes(const std::uint64_t*, std::uint32_t mask, std::uint32_t bytes) {
  const unsigned groups = bytes >= 16 ? 4 : bytes == 8 ? 2 : 1;
  std::uint64_t passes = 0;
  for (unsigned g = 0; g < groups; ++g) {
    const std::uint32_t lanes = groups == 1 ? ~0u : (1u << (32 / groups)) - 1;
    passes += (mask >> (g * (32 / groups)) & lanes) != 0;
  }
  return passes;
}

}  // namespace wedjat::hooks
