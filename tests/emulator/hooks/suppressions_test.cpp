// --suppress: which findings it silences, and that they are counted.
#include <filesystem>
#include <fstream>

#include "tests/emulator/hooks/tools.h"

using namespace wedjat::test;

namespace {

constexpr const char* racing = R"(.visible .entry k(.param .u64 p) {
  .shared .b32 s; .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  st.shared.u32 [s], %r1;
  ld.shared.u32 %r2, [s];
  ret; })";

nlohmann::json with(const std::string& text, const std::string& more = {}) {
  const auto file = std::filesystem::temp_directory_path() / "wedjat_suppressions_test.txt";
  std::ofstream(file) << text;
  Grid grid{.ctas = 1, .threads = 64};
  grid.suppressions = file;
  return watch(racing, {"race_check" + more}, grid).tools[0];
}

}  // namespace

TEST_CASE("findings are silenced by kind, and by kernel") {
  const std::uint64_t all = with("")["errors"];
  CHECK(all > 0);
  for (const char* more : {"", ",isolated"})
    for (const char* text : {"shared-race", "shared-*\n", "# why\nshared-race k # and here\n", "* k*"}) {
      INFO(text, more);
      const auto report = with(text, more);
      CHECK(report["errors"] == 0);
      CHECK(report["suppressed"] == all);
      CHECK(report["findings"].empty());
    }
  for (const char* text : {"global-race", "shared-race other", "", "# shared-race"}) {
    const auto report = with(text);
    CHECK(report["errors"] == all);
    CHECK(report["suppressed"] == 0);
  }
}

TEST_CASE("a file that is not there is refused") {
  Grid grid;
  grid.suppressions = "/nowhere/at/all";
  CHECK_THROWS_WITH(watch(racing, {"race_check"}, grid),
                    doctest::Contains("/nowhere/at/all: cannot be read"));
}
