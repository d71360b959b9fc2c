#include "semcc/check/check.h"

#include <filesystem>

#include "semcc/check/ambiguity.h"
#include "semcc/check/family.h"

namespace semcc::check {

ir::Program check(const front::Library& library, front::Diagnostics& diagnostics) {
  ir::Program program;
  FileScopes scopes;
  open_file_scopes(library, scopes, diagnostics);
  for (int file = 0; file < library.sources.size(); ++file) {
    program.files.push_back(library.sources[file].path);
    for (const auto& table : library.files[static_cast<std::size_t>(file)].tables)
      program.tables[table.name] = {table.name, table.values};
  }
  for (const int file : library.roots) {
    const front::File& source = library.files[static_cast<std::size_t>(file)];
    const std::string chapter = std::filesystem::path(library.sources[file].path).parent_path().filename().string();
    for (const front::Instruction& instruction : source.instructions) {
      FamilyChecker checker(instruction, instruction_scope(scopes.at(file), instruction, diagnostics), diagnostics);
      program.families.push_back(checker.run());
      program.families.back().chapter = chapter;
    }
  }
  if (!diagnostics.any()) report_ambiguities(program, diagnostics);
  return program;
}

}  // namespace semcc::check
