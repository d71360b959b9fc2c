// The generated table of what each form is.
#pragma once
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

/// C++ that defines traits_of() for `forms`, in the order of the form table.
std::string emit_traits(const std::vector<const ir::Form*>& forms);

}  // namespace semcc::emit
