// Rows that meet textures and surfaces as something to execute (texel_row.h says which).
#pragma once

#include "tests/emulator/hardware/cases/texel_inputs.h"
#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {

inline constexpr unsigned kTexelOutput = 32;  // bytes of a lane's destinations

// Every warp meets another scene: with handles all in one launch, with a variable one launch a scene. The
// output: the lanes' destinations, then what the surfaces hold, if they are written.
Case make_texel_case(const fidelity::InventoryRow& row, std::string entry);

// A hash for each warp: of its lanes' destinations and of its surface.
std::vector<std::byte> texel_hashes(const Case& one, std::span<const std::byte> output);

// Of whole answers: which lanes and surfaces differ, the first few of them with their input records.
std::string differing_lanes(const Case& one, std::span<const std::byte> expected,
                            std::span<const std::byte> got);

}  // namespace wedjat::hardware_truth
