// What becomes invalid with a handle. Whoever asks has the turn of the device.
#pragma once
#include "cli/library/wedjat.h"

namespace wedjat::library {

void release(WedjatModule* module);
void release(WedjatArray* array);

}  // namespace wedjat::library
