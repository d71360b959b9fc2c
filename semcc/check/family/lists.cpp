#include "semcc/check/family/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace semcc::check {

void add_lists(const front::Library& library, ir::Program& program, front::Diagnostics& diagnostics) {
  std::set<std::string> texts;
  for (const ir::Family& family : program.families)
    for (const ir::Form& form : family.forms) texts.insert(form.text());
  for (const int file : library.roots) {
    for (const front::ListDecl& declared : library.files[static_cast<std::size_t>(file)].lists) {
      if (std::ranges::find(program.lists, declared.name, &ir::List::name) != program.lists.end())
        diagnostics.error(declared.at, fmt::format("two lists are called {}", declared.name));
      ir::List list{declared.name, {}};
      for (const auto& entry : declared.entries) {
        if (!texts.contains(entry.text))
          diagnostics.error(entry.at, fmt::format("no form of the files given is {}", entry.text));
        list.forms.push_back(entry.text);
      }
      program.lists.push_back(std::move(list));
    }
  }
}

}  // namespace semcc::check
