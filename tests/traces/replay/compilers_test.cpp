// Programs that compile to machine code themselves, recorded here with --keep-ptx and replayed.
#include <doctest/doctest.h>

#include "tests/interposer/recording.h"
#include "traces/replay/replay.h"

using namespace wedjat::traces;

namespace {

Trace recorded(const test::Folder& folder, const std::string& arguments, bool keep_ptx = true) {
  const auto path = folder.path() / "t";
  std::string command = test::record_command(path, arguments, WEDJAT_SHARED_MEMORY_PROGRAM);
  if (keep_ptx) command.insert(command.find(" record ") + 8, "--keep-ptx ");
  REQUIRE(test::run(command) == 0);
  return open_trace(path);
}

}  // namespace

TEST_CASE("what a compiler in the program made replays from the PTX it made it of") {
  for (const char* mode : {"nvrtc", "opened " WEDJAT_FAKE_NVRTC, "linker", "lto", "archive"}) {
    CAPTURE(mode);
    const test::Folder folder;
    const Trace trace = recorded(folder, mode);
    CHECK(trace.flaws.empty());
    const ReplayReport report = replay(trace, {});
    CHECK(report.exact());
    CHECK(report.launched.size() == 3);
    CHECK(report.stepped_over.empty());
  }
}

TEST_CASE("without --keep-ptx there is no PTX to replay") {
  const test::Folder folder;
  const Trace trace = recorded(folder, "nvrtc", false);
  CHECK_THROWS_WITH_AS(replay(trace, {}), doctest::Contains("increment has no PTX"), ReplayRefused);
  CHECK_THROWS_WITH_AS(replay(trace, {}), doctest::Contains("wedjat record --keep-ptx"), ReplayRefused);
}

TEST_CASE("a program that asks for the next symbol of a name gets what it gets alone") {
  const test::Folder folder;
  std::string command = test::record_command(folder.path() / "t", "next", WEDJAT_SHARED_MEMORY_PROGRAM);
  CHECK(test::run(std::string(WEDJAT_SHARED_MEMORY_PROGRAM) + " next") == 0);
  command.insert(command.find(" record ") + 8, "--keep-ptx ");
  CHECK(test::run(command) == 0);
}
