// Which forms of the inventory the emulator can run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "emulator/fidelity/inventory.h"

namespace wedjat::fidelity {

// Lowers a kernel around each row for sm_90a: empty, or the reason why it is refused.
std::vector<std::string> refusals(std::span<const InventoryRow* const> rows);

}  // namespace wedjat::fidelity
