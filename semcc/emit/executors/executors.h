// C++ executors: one function for all lanes and one for a mask, per distinct body. Forms whose code is
// identical share them.
#pragma once
#include <map>
#include <stdexcept>
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

// Something the checked form says has no executor. Names the place in the semantics file.
struct Error : std::runtime_error {
  Error(ir::Location where, const std::string& message) : std::runtime_error(message), at(where) {}
  ir::Location at;
};

struct Executors {
  // Path relative to the output folder -> text: `<chapter>/<stem>.cpp` per semantics file with a family, and
  // `executors.h`, which declares `void <symbol>_full(WarpContext&, const Step&, std::uint32_t)` and
  // `<symbol>_masked` in wedjat::executors.
  std::map<std::string, std::string> files;
  // Forms of Level::Control have none.
  std::map<const ir::Form*, std::string> symbol;
};

Executors emit_executors(const ir::Program& program);  // throws Error

}  // namespace semcc::emit
