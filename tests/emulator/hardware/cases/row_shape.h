// Rows of the inventory (semantics/inventory) whose results a kernel of their own can show: accesses to
// memory, atomics, asynchronous copies, barriers, calls, special registers.
#pragma once

#include <string>
#include <vector>

#include "emulator/fidelity/inventory.h"
#include "tests/emulator/hardware/forms/form.h"

namespace wedjat::hardware_truth {

struct RowRegister {
  std::string name;  // "%r0", as in the row's text
  Type type;
};

// What a row's operands are, from their pattern.
struct RowShape {
  std::vector<RowRegister> destinations, sources;
  std::string
      space;  // of its address, the first one that is no barrier: "g", "gen", "s", "fp" …; empty: none
  std::string other_space;      // of a second one: a copy's source
  bool barrier = false;         // it has an mbarrier
  bool barrier_result = false;  // it is one of the mbarrier instructions
  std::string name;             // "mnemonic operands": identifies the row in truth files
};

RowShape shape_of(const fidelity::InventoryRow& row);

// The rows a kernel of row_case.h shows, in the order of their ids.
std::vector<const fidelity::InventoryRow*> shown_rows();

}  // namespace wedjat::hardware_truth
