// Which forms do to integers what their traits say, saturation and whatever else included: found by trying
// them on numbers where it would show.
#pragma once
#include <cstdint>

#include "emulator/kernel/forms/traits.h"
#include "emulator/sched/apart/value.h"

namespace wedjat::sched::apart {

struct Model {
  kernel::Operation operation = kernel::Operation::other;  ///< other: nothing is known of the form
  bool computes = false;  ///< kernel::compute() gives its only result, of at most 64 bits
  unsigned bits = 0;      ///< of the result
};

/// Of a form without effects. Any thread may ask.
const Model& model_of(const kernel::Form& form);

/// How it takes the operand.
Reading reading_of(const kernel::OperandSpec& operand);

}  // namespace wedjat::sched::apart
