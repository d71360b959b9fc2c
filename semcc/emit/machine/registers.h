// Special registers as C++: their enumeration, the table of their names, and their values.
#pragma once
#include <map>
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

// Path relative to the output folder -> text:
// special_register.h, the enumeration wedjat::kernel::SpecialRegister of all that are not constant;
// special_registers.cpp, rows of emulator/kernel/lowered/special_registers.h, sorted by name;
// special_values.h, the value of each, out of an object with a member function for every source.
std::map<std::string, std::string> emit_registers(const ir::Program& program);

}  // namespace semcc::emit
