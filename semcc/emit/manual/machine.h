// The pages of what is no instruction: special registers and the device.
#pragma once
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

std::string special_registers_page(const ir::Program& program);
std::string device_page(const ir::Program& program);

}  // namespace semcc::emit
