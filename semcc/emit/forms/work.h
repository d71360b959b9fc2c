// The generated table of what each form computes with floats.
#pragma once
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

/// C++ that defines work_of() for `forms`, in the order of the form table.
std::string emit_work(const std::vector<const ir::Form*>& forms);

}  // namespace semcc::emit
