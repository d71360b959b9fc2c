// The words of an instruction as written, for showing.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace wedjat::hooks {

struct WrittenInstruction {
  std::string guard;  ///< register; empty: none
  bool guard_negated = false;
  std::vector<std::string> operands;
};

/// "@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8]" -> %p1, negated, "{%f1, %f2}", "[%rd1+8]". `d|p` is two
/// operands.
WrittenInstruction take_apart(std::string_view text);

}  // namespace wedjat::hooks
