// The input records of a row: an image of memory and the sources.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/emulator/hardware/cases/row_shape.h"

namespace wedjat::hardware_truth {

// Rows of one opcode and type share their inputs, so their results are alike and the truth is small.
std::vector<std::byte> row_input(const fidelity::InventoryRow& row, const RowShape& shape);

}  // namespace wedjat::hardware_truth
