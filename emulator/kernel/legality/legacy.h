// How modules of an old `.version` or `.target` spell what newer ones write out.
#pragma once
#include <vector>

#include "emulator/kernel/forms/form_table.h"
#include "emulator/ptx/module/body.h"
#include "emulator/ptx/module/module.h"

namespace wedjat::kernel {

/// Forms an instruction may mean in this module: those of its words and of the words such a module leaves
/// out.
std::vector<const Form*> candidates_in(const ptx::Module& module, const FormTable& table,
                                       const ptx::Mnemonic& mnemonic);

}  // namespace wedjat::kernel
