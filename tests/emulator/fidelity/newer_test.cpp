// The rows of the inventory that do not run on sm_90a.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "emulator/fidelity/inventory.h"
#include "emulator/fidelity/refusals.h"

using namespace wedjat::fidelity;

namespace {

struct Asked {
  const InventoryRow* row;
  Answer answer;
};

// Each in a module of that .version and .target; "": its own, the least.
std::vector<Asked> ask(std::string_view version, std::string_view target) {
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const InventoryRow*>> modules;
  for (const InventoryRow& row : inventory()) {
    if (row.runs_on_sm_90a) continue;
    const std::string_view least = row.version.substr(row.version.starts_with("<=") ? 2 : 0);
    modules[{version.empty() ? least : version, target.empty() ? row.target : target}].push_back(&row);
  }
  std::vector<Asked> asked;
  for (const auto& entry : modules) {
    std::vector<Snippet> snippets;
    for (const InventoryRow* row : entry.second) snippets.push_back({row->text, row->declarations});
    std::vector<Answer> answers = refusals(snippets, entry.first.first, entry.first.second);
    for (std::size_t i = 0; i < answers.size(); ++i)
      asked.push_back({entry.second[i], std::move(answers[i])});
  }
  return asked;
}

bool needs_more_than_sm_90a(const InventoryRow& row) { return row.target.starts_with("sm_1"); }

// How many are run.
std::size_t check_typed(const std::vector<Asked>& asked) {
  std::size_t run = 0;
  for (const Asked& one : asked) {
    INFO(std::string(one.row->text), " of ", std::string(one.row->target), ": ", one.answer.refusal);
    CHECK(one.answer.is_legal);
    if (one.answer.runs())
      ++run;
    else
      CHECK(one.answer.refusal.find(": parsed and typed, not run here: ") != std::string::npos);
  }
  return run;
}

}  // namespace

TEST_CASE("every form of another target is typed there, and run or refused for what it needs") {
  const std::vector<Asked> now = ask("9.0", "");
  CHECK(now.size() == 5740);
  CHECK(check_typed(now) == 1160);
  CHECK(check_typed(ask("", "")) == 1160);
}

TEST_CASE("a form that needs more than sm_90a is none of sm_90a") {
  for (const Asked& one : ask("9.0", "sm_90a")) {
    INFO(std::string(one.row->text), ": ", one.answer.refusal);
    if (needs_more_than_sm_90a(*one.row)) CHECK_FALSE(one.answer.is_legal);
  }
}
