#include "semcc/check/family/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace semcc::check {
namespace {

// As one of its words, or as a hint.
bool may_have(const ir::Form& form, const std::string& word) {
  const auto among = [&](const std::vector<std::string>& words) {
    return std::ranges::find(words, word) != words.end();
  };
  return among(form.modifiers) || std::ranges::any_of(form.hints, among);
}

class Lists {
 public:
  Lists(ir::Program& program, front::Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {
    for (const ir::Family& family : program.families)
      for (const ir::Form& form : family.forms) texts_.insert(form.text());
  }

  void add(const front::ListDecl& declared) {
    if (std::ranges::find(program_.lists, declared.name, &ir::List::name) != program_.lists.end())
      diagnostics_.error(declared.at, fmt::format("two lists are called {}", declared.name));
    program_.lists.push_back({declared.name, forms(declared.entries)});
  }

  void add(const front::RowsDecl& declared) {
    if (std::ranges::find(program_.rows, declared.name, &ir::Rows::name) != program_.rows.end())
      diagnostics_.error(declared.at, fmt::format("two tables of rows are called {}", declared.name));
    ir::Rows rows{declared.name, declared.columns, {}};
    for (const auto& entries : declared.rows) {
      if (entries.size() != declared.columns.size())
        diagnostics_.error(entries.front().at,
                           fmt::format("a row of {} has {} columns, this one {}", declared.name,
                                       declared.columns.size(), entries.size()));
      rows.rows.push_back(forms(entries));
    }
    program_.rows.push_back(std::move(rows));
  }

  // Each form gets those of the words that it has.
  void add(const front::LeadingDecl& declared) {
    std::vector<bool> used(declared.words.size());
    for (ir::Family& family : program_.families) {
      for (ir::Form& form : family.forms) {
        if (form.opcode != declared.opcode) continue;
        for (std::size_t i = 0; i < declared.words.size(); ++i) {
          if (!may_have(form, declared.words[i].text)) continue;
          used[i] = true;
          form.leading.push_back(declared.words[i].text);
        }
      }
    }
    for (std::size_t i = 0; i < declared.words.size(); ++i)
      if (!used[i])
        diagnostics_.error(declared.words[i].at, fmt::format("no form of {} has the word {}", declared.opcode,
                                                             declared.words[i].text));
  }

 private:
  std::vector<std::string> forms(const std::vector<front::ListDecl::Entry>& entries) {
    std::vector<std::string> found;
    for (const auto& entry : entries) {
      if (!texts_.contains(entry.text))
        diagnostics_.error(entry.at, fmt::format("no form of the files given is {}", entry.text));
      found.push_back(entry.text);
    }
    return found;
  }

  ir::Program& program_;
  front::Diagnostics& diagnostics_;
  std::set<std::string> texts_;
};

}  // namespace

void add_lists(const front::Library& library, ir::Program& program, front::Diagnostics& diagnostics) {
  Lists lists(program, diagnostics);
  for (const int file : library.roots) {
    const front::File& source = library.files[static_cast<std::size_t>(file)];
    for (const front::ListDecl& declared : source.lists) lists.add(declared);
    for (const front::RowsDecl& declared : source.rows) lists.add(declared);
    for (const front::LeadingDecl& declared : source.leading) lists.add(declared);
  }
}

}  // namespace semcc::check
