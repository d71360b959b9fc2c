#include <fmt/format.h>

#include "semcc/cli/commands.h"
#include "semcc/cli/program.h"
#include "semcc/ir/printer.h"

namespace semcc::cli {

int print(const std::vector<std::string>& paths, bool summary) {
  const std::optional<ir::Program> program = load_program(paths);
  if (!program) return exit_status::diagnostics;
  for (const ir::Family& family : program->families)
    for (const ir::Form& form : family.forms)
      fmt::print("{}{}", summary ? ir::summary(form) : ir::print(form), summary ? "" : "\n");
  return exit_status::ok;
}

}  // namespace semcc::cli
