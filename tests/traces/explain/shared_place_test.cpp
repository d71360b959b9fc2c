// What is said of differences in memory that host and device share, recorded here with the fake driver.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/interposer/recording.h"
#include "traces/explain/first_difference.h"
#include "traces/explain/racing.h"

using namespace wedjat::traces;

namespace {

struct Said {
  std::string first, racing;
};

Said explained(const std::string& mode) {
  const test::Folder folder;
  const auto path = folder.path() / "t";
  REQUIRE(test::run(test::record_command(path, mode, WEDJAT_SHARED_MEMORY_PROGRAM)) == 0);
  const Trace trace = open_trace(path);
  const Resolution resolution = resolve_order(trace, {});
  REQUIRE(resolution.rest.differing_bytes() != 0);
  return {fmt::format("{}", fmt::join(explain_first_difference(trace, {}, resolution), "\n")),
          fmt::format("{}", fmt::join(racing_before(trace, {}, resolution), "\n"))};
}

void check_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) CHECK_MESSAGE(text.find(part) != std::string::npos, part << " in " << text);
}

}  // namespace

TEST_CASE("of atomics that host and device do at once the kernel's are named, and the host's part") {
  const Said said = explained("atomics");
  check_parts(said.first,
              {"written by 'red.global.sys.add.u32", "CTA 0 thread 9", "host and device share this place",
               "by 1 atomics", "(3 of it would be the host's)"});
  CHECK(said.racing.empty());
}

TEST_CASE("a kernel's plain store to memory that is shared is named, too") {
  const Said said = explained("wrong");
  check_parts(said.first, {"written by 'st.global.u32", "add.u32"});
  CHECK(said.first.find("host and device") == std::string::npos);
  CHECK(said.racing.empty());
}

TEST_CASE("races are told as what may explain a difference that nothing else does") {
  const Said said = explained("racing");
  check_parts(said.first, {"written by 'st.global.u32"});
  check_parts(said.racing,
              {"weaker evidence", "increment", "'st.global.u32 [%at + 8192]", "write after write"});
}
