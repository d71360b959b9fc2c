// Opcodes and words of forms are compared nowhere in these rooms: what an instruction is, its semantics file
// says, and the generated table hands on (emulator/kernel/forms/traits.h).
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

#include "tests/rules/sources.h"

namespace {

const std::vector<std::string> rooms = {"emulator/kernel/", "emulator/exec/", "emulator/sched/"};

struct Exception {
  std::string file, expression, why;
};
const std::vector<Exception> exceptions = {
    {"emulator/kernel/lower/reachable.cpp", "opcode == \"call\"",
     "calls are found before anything is decoded: their operands are syntax of their own"},
};

// `form.opcode == "add"`, `text.find(".ftz")`, `how.starts_with("setp.")`.
const std::regex comparison(
    R"re((opcode|text|key|how)(\)|\(\))?\s*(==|!=)\s*"[a-z.]+"|)re"
    R"re((opcode|text|key|form|how)\)?\.r?(find|starts_with|ends_with|contains)\("[.a-z])re");

}  // namespace

TEST_CASE("no room compares opcodes or words of forms") {
  std::vector<std::string> used;
  std::size_t looked_at = 0;
  for (const auto& source : project_sources({".h", ".hpp", ".cpp"})) {
    const bool is_clean = std::any_of(rooms.begin(), rooms.end(),
                                      [&](const auto& room) { return source.path.rfind(room, 0) == 0; });
    if (!is_clean) continue;
    ++looked_at;
    for (std::sregex_iterator it(source.text.begin(), source.text.end(), comparison), end; it != end; ++it) {
      const std::string found = it->str();
      const bool allowed = std::any_of(exceptions.begin(), exceptions.end(), [&](const Exception& e) {
        return e.file == source.path && e.expression == found;
      });
      if (allowed) used.push_back(source.path);
      INFO(source.path, ": ", found);
      CHECK(allowed);
    }
  }
  CHECK(looked_at > 50);
  CHECK(used.size() == exceptions.size());
}

TEST_CASE("the rule sees what it forbids") {
  for (const char* text : {"step.form->opcode == \"mov\"", "form.opcode != \"ld\"",
                           "form.text.find(\".ftz\")", "text.ends_with(\".u32\")",
                           "std::string_view(form.text).find(\".ftz\")", "how.starts_with(\"setp.le\")"})
    CHECK(std::regex_search(std::string(text), comparison));
  CHECK_FALSE(std::regex_search(std::string("text.find(\"*/\", at)"), comparison));
}
