// What a form does to memory, read off its body.
#pragma once
#include <map>

#include "semcc/ir/form.h"

namespace semcc::emit {

/// All that a form does through one address operand, or in one space at places it computes.
struct Access {
  unsigned read = 0, written = 0, updated = 0;  ///< bytes a lane; 0: unknown
  bool reads = false, writes = false, updates = false;
  int size = -1;  ///< operand that says how many bytes
  unsigned lanes = 32;
};

/// By operand, and behind them the computed ones at `computed_access` + space.
using Accesses = std::map<int, Access>;
inline constexpr int computed_access = 255;  // FormAccess::computed

Accesses accesses(const ir::Form& form);

/// Whether no address operand names the rows of a tile: where they lie is computed, and the executor tells
/// it.
bool is_computed_tile(const ir::Form& form, const ir::Stmt& stmt);

}  // namespace semcc::emit
