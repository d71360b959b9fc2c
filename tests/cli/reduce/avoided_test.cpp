// Statements that must not become more.
#include "cli/reduce/avoided.h"

#include <doctest/doctest.h>

using namespace wedjat::reduce;

namespace {

std::size_t matches(const char* expression, const std::string& text) {
  Case of;
  of.pieces = split(text);
  return Avoided(expression).matches(of);
}

}  // namespace

TEST_CASE("statements that match are counted, not matches") {
  const char* text =
      ".entry k()\n{\nld.global.u32 %a, [y];\nst.global.u32 [y], %a; st.global.u32 [z], %a;\n}\n";
  CHECK(matches("[[]y", text) == 2);
  CHECK(matches("^st\\.\\w+\\.u(32|64)", text) == 2);
  CHECK(matches("x", text) == 0);
}

TEST_CASE("a statement of 200,000 values, and an expression that could be tried in many ways") {
  std::string values = ".global .u8 big[200000] = {0";
  for (int i = 1; i < 200000; ++i) values += ",1";
  CHECK(matches("big.*y", values + "};\n") == 0);
  CHECK(matches("big.*1", values + "};\n") == 1);
  CHECK(matches("(1*)*x", ".file 1 \"" + std::string(60, '1') + "\"\n") == 0);
}

TEST_CASE("what is no expression is refused") {
  CHECK_THROWS_WITH_AS(Avoided("("), "--avoid '(': Unmatched ( or \\(", std::invalid_argument);
}
