// Constant tables of the semantics as C++ arrays.
#pragma once
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

std::string table_text(const ir::Table& table);

}  // namespace semcc::emit
