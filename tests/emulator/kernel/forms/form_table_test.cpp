#include "emulator/kernel/forms/form_table.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/emulator/kernel/fake_forms.h"

using namespace wedjat;

TEST_CASE("modifiers in any order, hints and ignored words gone") {
  const kernel::FormTable& table = test::fake_table();
  const auto count = [&](std::vector<std::string_view> words) {
    return table.candidates("ld", words).size();
  };
  CHECK(count({"global", "u32"}) == 1);
  CHECK(count({"u32", "global"}) == 1);
  CHECK(count({"global", "ca", "u32"}) == 1);
  CHECK(count({"global", "L2::128B", "cg", "u32"}) == 1);
  CHECK(count({"global", "u32", "swizzle_mode"}) == 1);
  CHECK(count({"global", "ca", "cg", "u32"}) == 0);  // one of each group
  CHECK(count({"global", "ca", "s8"}) == 0);         // this form lists no hints
  CHECK(count({"global", "u32", "nonsense"}) == 0);
}

TEST_CASE("opcodes") {
  const kernel::FormTable& table = test::fake_table();
  CHECK(table.of_opcode("bra").size() == 2);
  CHECK(table.of_opcode("br").empty());
}

TEST_CASE("the generated table is sorted by key, so that look-ups find every form") {
  const auto forms = kernel::all_forms();
  REQUIRE(forms.size() > 1000);
  const kernel::FormTable& table = kernel::FormTable::generated();
  std::size_t lost = 0;
  for (const kernel::Form& form : forms) {
    std::vector<std::string_view> words;
    std::string_view rest = form.text.substr(form.opcode.size());
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::size_t end = std::min(rest.find('.'), rest.size());
      words.push_back(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    const auto found = table.candidates(form.opcode, words);
    if (std::find(found.begin(), found.end(), &form) == found.end()) {
      ++lost;
      if (lost < 10) MESSAGE(form.text << " has the key " << form.key);
    }
  }
  CHECK(lost == 0);
}
