// The generated table of what each form does to memory.
#pragma once
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

/// Whether no address operand names the rows of a tile: where they lie is computed, and the executor tells
/// it.
bool is_computed_tile(const ir::Form& form, const ir::Stmt& stmt);

/// What `form` does to the texels of a surface whose place it finds: a word of exec/surface.h.
std::string surface_use(const ir::Form& form);

/// C++ that defines accesses_of() for `forms`, in the order of the form table.
std::string emit_accesses(const std::vector<const ir::Form*>& forms);

}  // namespace semcc::emit
