// Availability of a form: the least PTX version and the targets that have it.
#pragma once
#include "semcc/front/syntax.h"
#include "semcc/ir/form.h"

namespace semcc::check {

// Both must hold. False if no target has both.
bool narrow(ir::Since& since, const front::Availability& by);

}  // namespace semcc::check
