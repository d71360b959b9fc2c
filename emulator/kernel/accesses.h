// What each form does to memory, from the bodies of the semantics files: for what watches execution; lowering
// does not need it.
#pragma once
#include <cstdint>
#include <span>

#include "emulator/kernel/form.h"

namespace wedjat::kernel {

/// Everything a form does through one address operand. A form's own operands say the space.
struct FormAccess {
  std::uint8_t operand;  // index of the address
  std::uint16_t bytes;   // that a lane accesses, from its address on; 0: operand `size` says it
  bool reads, writes, updates;
  std::int8_t size = -1;
  std::uint8_t lanes = 32;  // the first so many lanes access
};

/// `form` must be one of all_forms(). Defined in generated code.
std::span<const FormAccess> accesses_of(const Form& form);

}  // namespace wedjat::kernel
