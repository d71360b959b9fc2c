// One launch by the interpreter and by native code: memory, messages and counts have to be the same.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/compile/tier/tier.h"

namespace wedjat::test {

/// A text with the kernel `k(.param .u64 out, .param .u32, .param .u32)`; `out` has `words` words, each with
/// a value of its own.
struct TieredKernel {
  const char* name;
  const char* text;
  std::uint32_t words;
};

struct TieredLaunch {
  std::array<std::uint32_t, 2> arguments{};
  std::uint32_t blocks = 1, threads = 32;
  std::uint64_t step_limit = 0;
  unsigned host_threads = 1;
  unsigned times = 1;        ///< launched so often in a row; the last one is counted
  std::uint32_t height = 1;  ///< of a block that is `threads` wide
  std::uint32_t rows = 1;    ///< of a grid that is `blocks` wide and two planes deep if it has several rows
};

/// Checks that all is equal, and gives the part of the steps that native code ran; 1 in a build without it.
double compare_tiers(const TieredKernel& kernel, const TieredLaunch& launch,
                     compile::TierOptions options = {});

}  // namespace wedjat::test
