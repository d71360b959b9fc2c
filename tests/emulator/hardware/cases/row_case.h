// Rows of the inventory as something to execute (row_shape.h says which).
#pragma once

#include "tests/emulator/hardware/cases/row_shape.h"
#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {

// Bytes of a lane's record in the input and in the output: 64 of memory, then registers, each at a multiple
// of its size.
inline constexpr unsigned kRecord = 128, kImage = 64;

// Every lane has an image of 64 bytes in the space the row accesses, and after the row it shows the image and
// its destinations. Barriers show another lane's image; mbarriers whether their phase is over.
Case make_row_case(const fidelity::InventoryRow& row, std::string entry);

// A hash for each warp of an output.
std::vector<std::byte> record_hashes(std::span<const std::byte> output);

}  // namespace wedjat::hardware_truth
