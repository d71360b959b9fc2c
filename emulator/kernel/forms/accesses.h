// What each form does to memory, from the bodies of the semantics files: for what watches execution; lowering
// does not need it.
#pragma once
#include <cstdint>
#include <span>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// Everything a form does through one address operand, which says the space; or in one space, where addresses
/// are computed from other things: what that is, exec/warp/pieces.h tells.
struct FormAccess {
  static constexpr std::uint8_t computed = 255;
  std::uint8_t operand;  // index of the address, or `computed`
  std::uint16_t
      bytes;  // that a lane accesses, from its address on; 0: operand `size` says it, or it is computed
  bool reads, writes, updates;
  std::int8_t size = -1;
  std::uint8_t lanes = 32;    // the first so many lanes access
  Space space = Space::None;  // of a computed one
};

/// `form` must be one of all_forms(). Defined in generated code.
std::span<const FormAccess> accesses_of(const Form& form);

}  // namespace wedjat::kernel
