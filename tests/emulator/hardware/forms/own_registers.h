// Rows that read what only the machine knows: clocks, places, addresses of functions. What is compared is how
// their values relate to others of the same run.
#pragma once

#include <string>

#include "emulator/fidelity/inventory.h"

namespace wedjat::hardware_truth {

bool reads_own_register(const fidelity::InventoryRow& row);

// The text of the kernel around the row's `text`, as the bodies of effect_case.cpp.
std::string own_register_body(const fidelity::InventoryRow& row, const std::string& text);

}  // namespace wedjat::hardware_truth
