// The names an instruction can see: its own sets and what its file and the imports declare.
#pragma once
#include <map>
#include <set>
#include <string>

#include "semcc/front/load.h"

namespace semcc::check {

struct Scope;
// The scope of every file, by source number: a function means what its own file says.
using FileScopes = std::map<int, Scope>;

struct Scope {
  const front::Library* library = nullptr;
  const FileScopes* files = nullptr;
  std::map<std::string, const front::SetDecl*> sets;
  std::map<std::string, const front::Alias*> aliases;
  std::map<std::string, const front::Function*> functions;
  std::map<std::string, const front::StateDecl*> states;
  std::map<std::string, const front::TableDecl*> tables;
  std::map<std::string, const front::LayoutDecl*> layouts;
  // Every member of a visible modifier, and the names of forms: may stand as names in conditions.
  std::set<std::string> words;
};

// Reports two declarations of one name.
void open_file_scopes(const front::Library& library, FileScopes& scopes, front::Diagnostics& diagnostics);
Scope instruction_scope(const Scope& file, const front::Instruction& instruction,
                        front::Diagnostics& diagnostics);

}  // namespace semcc::check
