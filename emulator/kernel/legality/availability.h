// Whether a module's `.version` and `.target` have a form (PTX ISA, "PTX ISA Notes" and "Target ISA Notes" of
// each instruction).
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "emulator/kernel/forms/form.h"
#include "emulator/ptx/module/module.h"

namespace wedjat::kernel {

/// `wanted` as in Form::targets: "sm_70" means sm_70 and newer, "sm_90a" exactly that flavour, "sm_100f" its
/// family.
bool target_has(std::span<const std::string_view> targets, std::string_view wanted);

/// Empty if the module may use the form, else why not: "needs .version 7.8, the module says 7.0".
std::string unavailable(const Form& form, const ptx::Module& module);

/// The same of what exists since `ptx` (708 for 7.8) on `targets`, which are as Form::targets.
std::string unavailable(unsigned ptx, std::string_view targets, const ptx::Module& module);

}  // namespace wedjat::kernel
