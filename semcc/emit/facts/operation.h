// What a form computes of its inputs, read off its body: `Operation` of emulator/kernel/forms/traits.h.
#pragma once
#include "semcc/ir/form.h"

namespace semcc::emit {

struct Operation {
  const char* name = "other";     ///< copy, load, sum …
  const char* relation = "none";  ///< of a comparison: eq, ne, lt …
};

Operation operation_of(const ir::Form& form);
/// What an atomic stores: of what lay there, and its operand.
Operation update_of(const ir::Form& form);

/// Whether an input that is subnormal counts as zero.
bool flushes(const ir::Form& form);
/// Whether it works on texels of a texture or surface.
bool has_texels(const ir::Form& form);
/// Whether its vector is the channels of the texel of a line that an integer names, and its only address the
/// texture.
bool fetches(const ir::Form& form);
/// The same of a plane in which two real numbers name the texel.
bool samples(const ir::Form& form);

}  // namespace semcc::emit
