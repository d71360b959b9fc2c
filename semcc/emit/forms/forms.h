// The form table the emulator's decoder and legality check use: rows of emulator/kernel/forms/form.h.
#pragma once
#include <map>
#include <string>

#include "semcc/emit/executors/executors.h"

namespace semcc::emit {

// Path relative to the output folder -> text: `forms.cpp`, which defines wedjat::kernel::all_forms(), sorted
// by key. Forms with one key stay in the order of the semantics files.
std::map<std::string, std::string> emit_forms(const ir::Program& program, const Executors& executors);

}  // namespace semcc::emit
