#include <fmt/format.h>

#include "semcc/cli/commands.h"
#include "semcc/cli/program.h"

namespace semcc::cli {

int check(const std::vector<std::string>& paths) {
  const std::optional<ir::Program> program = load_program(paths, Examples::computed);
  if (!program) return exit_status::diagnostics;
  std::size_t forms = 0;
  for (const ir::Family& family : program->families) forms += family.forms.size();
  fmt::print("{} instructions, {} forms: no errors\n", program->families.size(), forms);
  return exit_status::ok;
}

}  // namespace semcc::cli
