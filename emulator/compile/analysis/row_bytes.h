// How wide the elements of each row are.
#pragma once
#include <vector>

#include "emulator/compile/analysis/liveness.h"

namespace wedjat::compile {

/// By number of the row: bytes, 0 for a predicate, or `untracked` where code does not hold the row.
inline constexpr std::uint8_t untracked = 255;
using RowBytes = std::vector<std::uint8_t>;
/// Of a function, as its steps and the ends of its blocks use them.
RowBytes row_bytes(const kernel::Function& function, const Liveness& liveness);

}  // namespace wedjat::compile
