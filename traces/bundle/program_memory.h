// The parts of the program in C that place memory and find it again.
#pragma once

#include <string>

#include "traces/bundle/bundle.h"

namespace wedjat::traces {

std::string memory_tables(const Bundle& bundle);     // before everything else
std::string memory_functions(const Bundle& bundle);  // need `must` and `module`

// Addresses are replaced: in memory when the input is there, in the parameters, in memory back after the
// launch.
std::string relocate_input(const Bundle& bundle);
std::string relocate_parameters(const Bundle& bundle);
std::string relocate_expected(const Bundle& bundle);

}  // namespace wedjat::traces
