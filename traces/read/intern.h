// Names that repeat endlessly.
#pragma once

#include <string_view>

namespace wedjat::traces {

// One copy of each name, kept until the program ends. Any thread may call.
std::string_view intern(std::string_view name);

}  // namespace wedjat::traces
