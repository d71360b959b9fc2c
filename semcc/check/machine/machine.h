// Special registers, the sources they are made of, and the device.
#pragma once
#include "semcc/front/load.h"
#include "semcc/ir/form.h"

namespace semcc::check {

// Those of all files, in the order the files were opened.
void add_machine(const front::Library& library, ir::Program& program, front::Diagnostics& diagnostics);

}  // namespace semcc::check
