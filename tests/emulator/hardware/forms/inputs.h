// The input values of a form: a function of the form's text alone.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/emulator/hardware/forms/form.h"

namespace wedjat::hardware_truth {

// Every kernel runs as 8 CTAs of 128 threads; thread i of the grid is lane i of the inputs and outputs.
inline constexpr unsigned kBlocks = 8, kThreads = 128, kLanes = kBlocks * kThreads;

struct Values {
  Type type;
  std::vector<std::uint64_t> low;   // one a lane
  std::vector<std::uint64_t> high;  // bits 64..127 of a b128, else empty
};

// One entry for each source register in the order of the operands (a vector operand has one for each
// element), then the carry-in (0 or 1, as b32) of a form that reads CC.CF. Instructions whose result PTX
// leaves open for some inputs do not get those: a divisor is not 0, a shuffle reads only from lanes that take
// part.
std::vector<Values> make_inputs(const Form& form);

}  // namespace wedjat::hardware_truth
