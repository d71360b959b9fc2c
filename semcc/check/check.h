// Syntax trees -> checked program.
#pragma once
#include "semcc/front/load.h"
#include "semcc/ir/form.h"

namespace semcc::check {

// The program is meaningful only if `diagnostics` stayed empty.
ir::Program check(const front::Library& library, front::Diagnostics& diagnostics);

}  // namespace semcc::check
