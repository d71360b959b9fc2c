#include "traces/regress/expectations.h"

#include <doctest/doctest.h>

#include <fstream>

#include "traces/format/error.h"

using namespace wedjat::traces;

namespace {

Expectations parsed(const std::string& text) {
  const auto file = std::filesystem::temp_directory_path() / "wedjat_expectations_test.txt";
  std::ofstream(file) << text;
  Expectations result;
  read_expectations(file, result);
  return result;
}

ReplayReport differing(std::uint64_t sequence, std::uint64_t first, std::uint64_t last) {
  ReplayReport report;
  Checked& checked = report.checked.emplace_back();
  checked.sequence = sequence;
  checked.difference.bytes = 100;
  checked.difference.differing_bytes = last - first + 1;
  checked.difference.ranges = {{first, last}};
  return report;
}

}  // namespace

TEST_CASE("a line allows bytes of one copy of one program") {
  const Expectations expected =
      parsed("# why\n\nrodinia/bfs 12 8-15 two CTAs write the level\nrodinia/bfs 12 20-23 x\n");
  REQUIRE(expected.size() == 1);
  const auto& allowed = expected.at("rodinia/bfs");
  REQUIRE(allowed.size() == 2);
  CHECK(allowed[0].reason == "two CTAs write the level");
  CHECK(unexpected_bytes(differing(12, 8, 15), allowed) == 0);
  CHECK(unexpected_bytes(differing(12, 4, 15), allowed) == 4);
  CHECK(unexpected_bytes(differing(12, 8, 23), allowed) == 4);
  CHECK(unexpected_bytes(differing(13, 8, 15), allowed) == 8);
}

TEST_CASE("a line without range or reason is an error that names it") {
  CHECK_THROWS_WITH_AS(parsed("a/b 1 2-3 ok\na/b 1 2-3\n"), doctest::Contains("expectations_test.txt:2"),
                       FormatError);
  CHECK_THROWS_AS(parsed("a/b 1 3-2 backwards\n"), FormatError);
  CHECK_THROWS_AS(parsed("a/b x 2-3 no number\n"), FormatError);
}
