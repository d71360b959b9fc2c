// SMT-LIB 2 of what can be proved: claims (`prove`) and instructions as functions, for Z3.
#pragma once
#include <map>
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

// `prove/<chapter>/<family>.<claim>.<types>.smt2`: asks for inputs that refute one claim for one choice of
// types, so unsat proves it. `functions/<opcode>.smt2`: one `define-fun` for each form of one lane that
// touches no memory and state, filters included, from the operands' bits to the destination's:
// `|add.sat.s32|`, and `|setp.eq.s32 q|` where there are several destinations. What the semantics leave open
// is a free constant, requirements are for the caller. Forms with what SMT-LIB cannot say (tables, roots of
// tensor cores …) are left out.
std::map<std::string, std::string> emit_smt(const ir::Program& program);

}  // namespace semcc::emit
