// Two forms must never match one instruction text.
#pragma once
#include "semcc/front/source.h"
#include "semcc/ir/form.h"

namespace semcc::check {

void report_ambiguities(const ir::Program& program, front::Diagnostics& diagnostics);

}  // namespace semcc::check
