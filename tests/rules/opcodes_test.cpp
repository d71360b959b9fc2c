// Opcodes and words of forms are compared nowhere in these rooms: what an instruction is, its semantics file
// says, and the generated table hands on (emulator/kernel/forms/traits.h).
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

#include "tests/rules/sources.h"

namespace {

const std::vector<std::string> rooms = {"emulator/kernel/", "emulator/exec/", "emulator/sched/"};
const std::vector<std::string> readers = {
    "emulator/hooks/", "emulator/compile/", "traces/order/",   "traces/explain/", "traces/extract/",
    "traces/judge/",   "traces/export/",    "traces/compare/", "cli/reduce/",     "utilities/"};

// `form.opcode == "add"`, `text.find(".ftz")`, `key.starts_with("setp.")`. Outside the kernel room a key is
// anything's.
const std::regex comparison(
    R"re((opcode|text|key|how)(\)|\(\))?\s*(==|!=)\s*"[a-z.]+"|)re"
    R"re((opcode|text|key|form|how)\)?\.r?(find|starts_with|ends_with|contains)\("[.a-z])re");
const std::regex of_forms(R"re((opcode|form)(\)|\(\))?\s*(==|!=)\s*"[a-z.]+"|)re"
                          R"re((opcode|form)\)?\.r?(find|starts_with|ends_with|contains)\("[.a-z])re");

bool begins_with_any(const std::string& path, const std::vector<std::string>& folders) {
  return std::ranges::any_of(folders, [&](const auto& room) { return path.starts_with(room); });
}

}  // namespace

TEST_CASE("no room compares opcodes or words of forms") {
  std::size_t looked_at = 0;
  for (const auto& source : project_sources({".h", ".hpp", ".cpp"})) {
    const bool is_of_forms = begins_with_any(source.path, readers);
    if (!is_of_forms && !begins_with_any(source.path, rooms)) continue;
    ++looked_at;
    const std::regex& forbidden = is_of_forms ? of_forms : comparison;
    for (std::sregex_iterator it(source.text.begin(), source.text.end(), forbidden), end; it != end; ++it)
      FAIL_CHECK(source.path, ": ", it->str());
  }
  CHECK(looked_at > 50);
}

TEST_CASE("the rule sees what it forbids") {
  for (const char* text : {"step.form->opcode == \"mov\"", "form.opcode != \"ld\"",
                           "form.text.find(\".ftz\")", "text.ends_with(\".u32\")",
                           "std::string_view(form.text).find(\".ftz\")", "how.starts_with(\"setp.le\")"})
    CHECK(std::regex_search(std::string(text), comparison));
  for (const char* text :
       {"form.find(\".up.\")", "std::string_view(i.opcode) == \"shfl\"", "form.ends_with(\"f32\")"})
    CHECK(std::regex_search(std::string(text), of_forms));
  CHECK_FALSE(std::regex_search(std::string("text.find(\"*/\", at)"), comparison));
}
