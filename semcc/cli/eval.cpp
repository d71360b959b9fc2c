#include "semcc/eval/text.h"

#include <fmt/format.h>

#include <iostream>

#include "semcc/cli/commands.h"
#include "semcc/cli/program.h"

namespace semcc::cli {

int eval(const std::string& instruction, const std::string& semantics) {
  const std::optional<ir::Program> program = load_program({semantics});
  if (!program) return exit_status::diagnostics;
  try {
    return semcc::eval::eval_command(*program, instruction, std::cout);
  } catch (const std::exception& error) {  // no such form, operands that do not fit, barriers: the message says which
    fmt::print(stderr, "semcc: {}: {}\n", instruction, error.what());
    return exit_status::diagnostics;
  }
}

}  // namespace semcc::cli
