// Which forms a program may hold, for what use.
#pragma once
#include "emulator/programs/families.h"

namespace wedjat::programs {

inline constexpr unsigned ptx_version = 900;  ///< 100 * major + minor

/// Plain sm_90 has it, the writer knows how to write its operands, and the manual leaves nothing about it
/// open.
bool fits(const kernel::Form& form, Use use);
/// It says how its sums and products round, so nothing may be fused.
bool rounds(const kernel::Form& form);
bool has_floats(const kernel::Form& form);

}  // namespace wedjat::programs
