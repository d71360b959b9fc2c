#include "semcc/check/check.h"

#include <fmt/format.h>

#include <filesystem>

#include "semcc/check/family/ambiguity.h"
#include "semcc/check/family/family.h"
#include "semcc/check/family/lists.h"
#include "semcc/check/machine/machine.h"
#include "semcc/check/types/types.h"

namespace semcc::check {
namespace {

void add_table(const front::TableDecl& table, ir::Program& program, front::Diagnostics& diagnostics) {
  const auto type = table.type->what == front::Expr::What::Name ? type_named(table.type->text) : std::nullopt;
  const bool fits =
      type && type->kind == ir::Kind::Integer && type->width > 0 && type->width <= 64 && type->parts == 1;
  if (!fits) return diagnostics.error(table.type->at, "a table holds integers of 8 to 64 bits");
  const ir::Interval range = ir::range_of(*type);
  for (const mpz_class& value : table.values)
    if (value < range.low || value > range.high)
      return diagnostics.error(table.at, fmt::format("{} is not in {}", value.get_str(), type->name()));
  if (!program.tables.emplace(table.name, ir::Table{table.name, table.values}).second)
    diagnostics.error(table.at, fmt::format("two tables are called {}", table.name));
}

}  // namespace

ir::Program check(const front::Library& library, front::Diagnostics& diagnostics) {
  ir::Program program;
  FileScopes scopes;
  open_file_scopes(library, scopes, diagnostics);
  for (int file = 0; file < library.sources.size(); ++file) {
    program.files.push_back(library.sources[file].path);
    for (const auto& table : library.files[static_cast<std::size_t>(file)].tables)
      add_table(table, program, diagnostics);
  }
  add_machine(library, program, diagnostics);
  for (const int file : library.roots) {
    const front::File& source = library.files[static_cast<std::size_t>(file)];
    const std::string chapter =
        std::filesystem::path(library.sources[file].path).parent_path().filename().string();
    for (const front::Instruction& instruction : source.instructions) {
      FamilyChecker checker(instruction, instruction_scope(scopes.at(file), instruction, diagnostics),
                            diagnostics);
      program.families.push_back(checker.run());
      program.families.back().chapter = chapter;
    }
  }
  if (!diagnostics.any()) add_lists(library, program, diagnostics);
  if (!diagnostics.any()) report_ambiguities(program, diagnostics);
  return program;
}

}  // namespace semcc::check
