// When each value of a draft is live, as one interval over the ordered steps.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/kernel/draft/draft.h"

namespace wedjat::kernel {

/// Both ends inclusive. A step reads at 2 * its position and writes at 2 * position + 1; the end of a block
/// is one position more.
struct LiveInterval {
  std::uint32_t first = ~std::uint32_t{0}, last = 0;
  bool empty() const { return first > last; }
};

struct Liveness {
  std::vector<LiveInterval> intervals;       ///< by value; of fills empty
  std::vector<ValueId> read_before_written;  ///< live where the function begins, its parameters excepted
};

/// `order`: the blocks in the order they will stand.
Liveness liveness(const Draft& draft, const std::vector<std::uint32_t>& order);

}  // namespace wedjat::kernel
