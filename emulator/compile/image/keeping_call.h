// Calls that keep all registers, for places that are seldom come to: what lives across an ordinary call is in
// memory, and LLVM puts it there on the way that is taken often.
#pragma once
#include "emulator/compile/image/image.h"

namespace wedjat::compile {

/// Calls the function in rax, with arguments in registers; all other registers are as before afterwards, as
/// far as code for processors with such registers uses them: keep_zmm, keep_ymm or keep_xmm. Lets through
/// what the function throws.
const void* keeping_call(Link::Kind kind);

}  // namespace wedjat::compile
