// Loops of one block that count.
#pragma once
#include <cstdint>
#include <optional>

#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/ptxas/free_products.h"

namespace wedjat::kernel {

/// A block that runs again while `counter`, to which it adds `step`, compares with `bound`.
struct CountedLoop {
  std::uint32_t block = 0;
  ValueId counter = no_value, bound = no_value;
  ValueId unused = no_value;  ///< the other result of the comparison
  std::int32_t step = 0;
  bool until_equal = false;                 ///< != : else by `compare`
  bool is_unsigned = false;                 ///< so `compare` takes them
  const Form* compare = nullptr;            ///< of the counter with the bound: < <= > >=, 32 bits
  std::optional<std::uint64_t> iterations;  ///< if the counter's start and the bound are constants
};

/// Nothing if the block is no such loop.
std::optional<CountedLoop> counted_loop(const Draft& draft, std::uint32_t block);

}  // namespace wedjat::kernel
