// The parts of the program in C that make arrays, textures and surfaces; empty without any.
#pragma once

#include <string>

#include "traces/bundle/bundle.h"

namespace wedjat::traces {

std::string texel_functions(const Bundle& bundle);
std::string texel_calls(const Bundle& bundle);
std::string texel_comparisons(const Bundle& bundle);

}  // namespace wedjat::traces
