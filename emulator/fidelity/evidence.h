// What the committed truth of a GPU says about a form (tests/emulator/hardware/truth), built into the
// program.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/fidelity/inventory.h"

namespace wedjat::fidelity {

struct Evidence {
  bool exact = false;      // every compared output is the hardware's; the tests fail if one is not
  std::string_view bound;  // and its source, if outputs may be others within it; empty: every bit is compared
  std::uint64_t outputs = 0;  // results of single lanes that are compared
  std::string_view device;    // "NVIDIA H200, driver 580.159.04, 2026-11-21"
};

// Truth of the row's form; of a matrix instruction: of all variants of its mnemonic. None: no committed
// truth.
std::optional<Evidence> evidence_for(const InventoryRow& row);

}  // namespace wedjat::fidelity
