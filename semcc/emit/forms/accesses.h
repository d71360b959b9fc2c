// The generated table of what each form does to memory.
#pragma once
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

/// C++ that defines accesses_of() for `forms`, in the order of the form table.
std::string emit_accesses(const std::vector<const ir::Form*>& forms);

}  // namespace semcc::emit
