// Every instruction form that ptxas accepts (semantics/inventory), built into the program.
#pragma once

#include <string_view>
#include <vector>

namespace wedjat::fidelity {

struct InventoryRow {
  std::string_view id;
  bool runs_on_sm_90a;
  std::string_view target, version;  // the least; "<=6.3": not tried with older ones
  std::string_view family;           // "logic/shift"
  std::string_view mnemonic;         // "setp.eq.and.s32"
  std::string_view operands;         // "d.pred|d.pred, s.b32, s.b32, s.pred"
  std::string_view text;             // the instruction, over registers named by their size
  std::string_view declarations;     // of module scope, that the text needs; may be empty

  std::string_view opcode() const { return mnemonic.substr(0, mnemonic.find('.')); }
};

// In the order of their ids. Views into memory that is never freed.
const std::vector<InventoryRow>& inventory();

}  // namespace wedjat::fidelity
