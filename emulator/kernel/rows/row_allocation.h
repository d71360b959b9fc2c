// Values -> rows of the frame. Values that are never live together share a row, so that frames stay in the
// first-level cache.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/rows/liveness.h"

namespace wedjat::kernel {

struct RowAllocation {
  std::vector<std::uint32_t> offset;  ///< by value: byte offset of its row
  std::uint32_t frame_bytes = 0;
};

/// Predicates come first in the frame (Step::guard reaches the first 4 MiB), then the rows shared by
/// registers, then fills.
RowAllocation allocate_rows(const Draft& draft, const Liveness& liveness);

}  // namespace wedjat::kernel
