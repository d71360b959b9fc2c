// Rows that yield nothing by themselves, or an address, or a token: what they do is shown by what can be done
// after them. Fences, prefetches, groups of copies, arrivals, jumps, addresses, the stack, fields of tensor
// maps.
#pragma once

#include "emulator/fidelity/inventory.h"
#include "tests/emulator/hardware/cases/row_shape.h"
#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {

bool is_effect(const fidelity::InventoryRow& row);

// The kernel: records of input and output as in row_case.h. Every byte of a lane's record is zero that shows
// nothing.
void write_effect_kernel(const fidelity::InventoryRow& row, const RowShape& shape, Case& result);

}  // namespace wedjat::hardware_truth
