// The text of an instruction, taken apart: operands for tools to show.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace wedjat::hooks {

/// As written, without a guard: "%r1", "[%rd2+8]", "{%f1, %f2}"; `p|q` counts as two.
std::vector<std::string> operands_in(std::string_view instruction);

}  // namespace wedjat::hooks
