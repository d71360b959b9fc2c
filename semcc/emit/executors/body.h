// The C++ of one executor, without its name: forms with equal text share it.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "semcc/emit/executors/shared.h"
#include "semcc/ir/form.h"

namespace semcc::emit {

struct Body {
  std::string text;  // the statements between the braces of `template <bool full> void …(warp, step, mask)`
  std::vector<std::string> pieces;  // what `text` calls piece_name(i): see executors_shared.h
  Declared declared;                // outside of loops
  std::set<std::string> tables;     // constant tables it reads
  std::set<std::string> specials;   // machine values it names
  bool same_for_all = false;  // atomics, matrices, transfers: one function serves full and partial masks
  ir::Rounding rounding = ir::Rounding::None;  // host rounding mode to run it under
};

Body executor_body(const ir::Form& form);  // throws Error

// The same for one lane, of forms that only compute, or update one word of memory that is there and aligned:
// rows have one element (a packed word its parts), and the mask is 1.
std::optional<Body> lane_body(const ir::Form& form);  // throws Error

}  // namespace semcc::emit
