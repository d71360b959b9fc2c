// What a form does, read off its body.
#pragma once
#include "semcc/ir/form.h"

namespace semcc::check {

void derive_effects(ir::Form& form);  // `aligned` and `warp_sync` are set already

}  // namespace semcc::check
