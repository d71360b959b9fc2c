// Packed words whose parts are all treated alike: f16x2 is then 64 lanes of f16.
#pragma once
#include <optional>

#include "semcc/ir/form.h"

namespace semcc::emit {

// The form of one part, if the body makes every part of its results from the same part of its operands, in
// the same way, and looks at nothing else. Its operands have one part; `parts` of them follow each other in a
// row.
struct PartForm {
  ir::Form form;
  unsigned parts;
};
std::optional<PartForm> one_part(const ir::Form& form);

}  // namespace semcc::emit
