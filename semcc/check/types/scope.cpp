#include "semcc/check/types/scope.h"

#include <fmt/format.h>

#include "semcc/check/types/types.h"

namespace semcc::check {
namespace {

template <class Map, class Declaration>
void declare(Map& map, const Declaration& declaration, front::Diagnostics& diagnostics,
             bool may_hide = false) {
  const auto [place, fresh] = map.emplace(declaration.name, &declaration);
  if (fresh) return;
  if (!may_hide) {
    diagnostics.error(declaration.at, fmt::format("{} is declared twice", declaration.name));
    return;
  }
  place->second = &declaration;
}

void declare_set(Scope& scope, const front::SetDecl& set, front::Diagnostics& diagnostics, bool may_hide) {
  declare(scope.sets, set, diagnostics, may_hide);
  std::set<std::string> seen;
  for (const front::Member& member : set.members) {
    if (!seen.insert(member.word).second)
      diagnostics.error(member.at, fmt::format("{} is in the set twice", member.word));
    if (set.kind == front::SetDecl::Kind::Modifier) scope.words.insert(member.word);
    if (set.kind == front::SetDecl::Kind::Types && !type_named(member.word) &&
        !scope.aliases.count(member.word))
      diagnostics.error(member.at, fmt::format("{} is not a type", member.word));
  }
}

}  // namespace

static Scope file_scope(const front::Library& library, int file, front::Diagnostics& diagnostics) {
  Scope scope;
  scope.library = &library;
  for (const int visible : library.visible[static_cast<std::size_t>(file)]) {
    const front::File& f = library.files[static_cast<std::size_t>(visible)];
    for (const auto& alias : f.aliases) declare(scope.aliases, alias, diagnostics);
    for (const auto& set : f.sets) declare_set(scope, set, diagnostics, false);
    for (const auto& function : f.functions) declare(scope.functions, *function, diagnostics);
    for (const auto& state : f.states) declare(scope.states, state, diagnostics);
    for (const auto& table : f.tables) declare(scope.tables, table, diagnostics);
    for (const auto& layout : f.layouts) declare(scope.layouts, layout, diagnostics);
  }
  return scope;
}

void open_file_scopes(const front::Library& library, FileScopes& scopes, front::Diagnostics& diagnostics) {
  for (int file = 0; file < library.sources.size(); ++file)
    scopes.emplace(file, file_scope(library, file, diagnostics)).first->second.files = &scopes;
}

Scope instruction_scope(const Scope& file, const front::Instruction& instruction,
                        front::Diagnostics& diagnostics) {
  Scope scope = file;
  for (const auto& alias : instruction.aliases) declare(scope.aliases, alias, diagnostics, true);
  std::set<std::string> own;
  for (const auto& set : instruction.sets) {
    if (!own.insert(set.name).second)
      diagnostics.error(set.at, fmt::format("{} is declared twice", set.name));
    declare_set(scope, set, diagnostics, true);
  }
  for (const auto& form : instruction.forms) scope.words.insert(form.name);
  return scope;
}

}  // namespace semcc::check
