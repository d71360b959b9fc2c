#include <iostream>

#include "semcc/cli/commands.h"
#include "semcc/cli/program.h"
#include "semcc/eval/text.h"

namespace semcc::cli {

int eval(const std::string& instruction, const std::string& semantics) {
  const std::optional<ir::Program> program = load_program({semantics});
  return program ? semcc::eval::eval_command(*program, instruction, std::cout) : exit_status::diagnostics;
}

}  // namespace semcc::cli
