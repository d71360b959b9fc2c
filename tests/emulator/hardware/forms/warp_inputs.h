// Inputs of the instructions whose result depends on other lanes of the warp.
#pragma once

#include <vector>

#include "tests/emulator/hardware/forms/form.h"
#include "tests/emulator/hardware/forms/inputs.h"
#include "tests/emulator/hardware/forms/random.h"

namespace wedjat::hardware_truth {

// shfl, vote, match, redux, elect, activemask.
bool is_warp_wide(const Form& form);

// Fills values, whose entries have the shape of form's sources. Each warp gets its own style (all lanes
// alike, all but one, few values, any) and, where the membermask is an operand, its own mask.
void fill_warps(const Form& form, Random& random, std::vector<Values>& values);

}  // namespace wedjat::hardware_truth
