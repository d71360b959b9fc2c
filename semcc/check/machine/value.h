// An expression of a special register or of a limit -> its value in 64 bits.
#pragma once
#include "semcc/front/syntax.h"
#include "semcc/ir/form.h"

namespace semcc::check {

// `component` of the registers and sources that have several. Throws front::Refusal. Every name is looked up
// among the sources of the program and, as `device.NAME`, among the limits of its device.
ir::MachineValuePtr machine_value(const front::ExprPtr& expr, const ir::Program& program, unsigned component);

// Throws front::Refusal if it is no number.
std::uint64_t constant_value(const front::ExprPtr& expr, const ir::Program& program);

}  // namespace semcc::check
