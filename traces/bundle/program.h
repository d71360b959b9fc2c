// The program in C, of the driver API alone, that launches a bundle on a GPU.
#pragma once

#include <string>

#include "traces/bundle/bundle.h"

namespace wedjat::traces {

std::string program_of(const Bundle& bundle);
std::string makefile_of(const Bundle& bundle);

}  // namespace wedjat::traces
