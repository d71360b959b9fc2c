// The limits of the device as C++ constants.
#pragma once
#include <map>
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

// Path relative to the output folder -> text: device_limits.h, constants in wedjat::limits.
std::map<std::string, std::string> emit_limits(const ir::Program& program);

}  // namespace semcc::emit
