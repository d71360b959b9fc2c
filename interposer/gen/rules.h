// cuda.yaml, applied to one parameter.
#pragma once

#include <map>
#include <string>

#include "interposer/gen/types.h"

namespace wedjat::interposer {

using Rules = std::map<std::string, std::string>;  // PARAMETER, before, after or done -> text

// Sets direction, element and count of `parameter` from its type and, if not empty, its rule.
// Throws std::runtime_error if the type alone does not say and there is no rule.
void apply_rule(const Types& types, const std::string& rule, Parameter& parameter);

}  // namespace wedjat::interposer
