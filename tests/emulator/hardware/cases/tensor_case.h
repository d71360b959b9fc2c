// The copies of tensors among the rows (cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, prefetches).
#pragma once

#include "emulator/fidelity/inventory.h"
#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {

bool is_tensor_copy(const fidelity::InventoryRow& row);

// Every CTA moves kBoxes boxes of maps, types and places of their own (tensor_inputs.h) and shows what came
// to shared memory, or what became of its part of the tensors' memory.
Case make_tensor_case(const fidelity::InventoryRow& row, std::string name, std::string entry,
                      std::string head);

}  // namespace wedjat::hardware_truth
