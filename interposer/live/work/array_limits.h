// How large arrays may be (CUDA programming guide, "Compute Capabilities"; the numbers are the device's
// attributes).
#pragma once

#include "interposer/live/state/driver.h"

namespace wedjat::live {

/// Whether an array of this description can be: its extents, its layers, its flags.
bool fits(const CUDA_ARRAY3D_DESCRIPTOR& array);

}  // namespace wedjat::live
