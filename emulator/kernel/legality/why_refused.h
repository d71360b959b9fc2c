// Forms that are typed and not run.
#pragma once
#include <string_view>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// Why a form whose control is "refused" is not run. `form` must be one of all_forms(). Defined in generated
/// code.
std::string_view why_refused(const Form& form);

}  // namespace wedjat::kernel
