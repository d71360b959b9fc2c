// `instructions NAME = { … };`, `rows NAME(…) = { … };` and `leading OPCODE = { … };`: every spelling is a
// form of the program.
#pragma once
#include "semcc/front/load.h"
#include "semcc/ir/form.h"

namespace semcc::check {

// Of the files asked for; `program` has all its families already.
void add_lists(const front::Library& library, ir::Program& program, front::Diagnostics& diagnostics);

}  // namespace semcc::check
