#include "semcc/cli/program.h"

#include <fmt/format.h>

#include "semcc/check/check.h"
#include "semcc/cli/files.h"
#include "semcc/eval/text.h"
#include "semcc/front/load.h"

namespace semcc::cli {
namespace {

constexpr const char* profile = "sm_90";  // the one target whose choices are written down

void compute_examples(const ir::Program& program, front::Diagnostics& diagnostics) {
  for (const ir::Family& family : program.families)
    for (const ir::Example& example : family.examples) {
      try {
        if (const auto wrong = eval::check_example(program, example))
          diagnostics.error(example.at, fmt::format("example '{}': {}", example.instruction, *wrong));
      } catch (const std::invalid_argument& error) {
        diagnostics.error(example.at, fmt::format("example '{}': {}", example.instruction, error.what()));
      }
    }
}

}  // namespace

std::optional<ir::Program> load_program(const std::vector<std::string>& paths, Examples examples) {
  front::Library library;
  front::Diagnostics diagnostics(library.sources);
  front::Loader(library, diagnostics).load(semantics_files(paths), profile);
  if (!diagnostics.any()) {
    ir::Program program = check::check(library, diagnostics);
    if (!diagnostics.any() && examples == Examples::computed) compute_examples(program, diagnostics);
    if (!diagnostics.any()) return program;
  }
  fmt::print(stderr, "{}{} error{}\n", diagnostics.text(), diagnostics.count(),
             diagnostics.count() == 1 ? "" : "s");
  return std::nullopt;
}

std::string place(const ir::Program& program, ir::Location at) {
  if (at.file < 0) return "semcc";
  return fmt::format("{}:{}:{}", program.files[static_cast<std::size_t>(at.file)], at.line, at.column);
}

}  // namespace semcc::cli
