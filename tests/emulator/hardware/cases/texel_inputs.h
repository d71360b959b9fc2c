// The input records of a row that meets textures or surfaces: one a lane.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/emulator/hardware/cases/texel_row.h"

namespace wedjat::hardware_truth {

// Rows whose mnemonics differ only in a cache operator share their inputs. Lanes of a warp write to different
// texels.
std::vector<std::byte> texel_input(const fidelity::InventoryRow& row, const TexelRow& shape);

}  // namespace wedjat::hardware_truth
