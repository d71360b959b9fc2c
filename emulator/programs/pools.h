// The registers of a program, by what they hold.
#pragma once
#include "emulator/kernel/forms/form.h"

namespace wedjat::programs {

/// Registers that hold the same kind of value. A float never becomes bits but where NaNs are made alike.
struct Pool {
  const char* name;  ///< of its registers, before their number
  const char* type;  ///< of PTX
  unsigned count;
};
inline constexpr Pool bits16{"%h", "b16", 6}, bits32{"%r", "b32", 10}, bits64{"%d", "b64", 6},
    half{"%e", "b16", 4}, brain{"%g", "b16", 4}, single{"%f", "b32", 6}, twice{"%w", "b64", 4},
    halves{"%x", "b32", 3}, brains{"%y", "b32", 3}, truths{"%p", "pred", 4};
inline constexpr const Pool* pools[] = {&bits16, &bits32, &bits64, &half,   &brain,
                                        &single, &twice,  &halves, &brains, &truths};

/// Where an operand is taken from; null if programs have no such registers.
const Pool* pool_of(const kernel::OperandSpec& operand);

}  // namespace wedjat::programs
