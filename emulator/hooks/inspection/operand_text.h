// The text of an instruction, taken apart: operands for tools to show.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace wedjat::hooks {

struct WrittenOperand {
  std::string text;     ///< "%r1", "[%rd2+8]", "{%f1, %f2}"
  bool paired = false;  ///< the q of `p|q`
};

/// Of an instruction without a guard.
std::vector<WrittenOperand> operands_in(std::string_view instruction);

}  // namespace wedjat::hooks
