// Programs that bring nothing to the host, recorded with the fake driver: what their memory held is compared.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/interposer/recording.h"
#include "traces/replay/replay.h"

using namespace wedjat::traces;

namespace {

ReplayReport recorded_and_replayed(const std::string& argument, const std::string& options = "") {
  const test::Folder folder;
  const auto path = folder.path() / "t";
  std::string command = test::record_command(path, argument, WEDJAT_LEFT_MEMORY_PROGRAM);
  command.insert(command.find(" record ") + 8, options + " ");
  REQUIRE(test::run(command) == 0);
  const Trace trace = open_trace(path);
  CHECK(trace.flaws.empty());
  return replay(trace, {});
}

}  // namespace

TEST_CASE("memory that is live at the end, freed, or freed in the order of a stream is compared") {
  for (const char* how : {"live", "waited", "freed", "later"}) {
    INFO(how);
    const ReplayReport report = recorded_and_replayed(how);
    CHECK(report.agreement() == Agreement::exact);
    CHECK(report.compared_bytes() == 1024);
    CHECK(report.recorded_bytes == 1024);
    CHECK(report.left_bytes == 0);
  }
}

TEST_CASE("so is memory that is stored in pieces") {
  for (const std::string how : {"live", "freed", "later"}) {
    INFO(how);
    const ReplayReport report = recorded_and_replayed(how + " 1000000");
    CHECK(report.agreement() == Agreement::exact);
    CHECK(report.compared_bytes() == 1000000);
  }
  CHECK(recorded_and_replayed("wrong 1000000").agreement() == Agreement::differs);
}

TEST_CASE("a kernel that leaves something else is caught") {
  const ReplayReport report = recorded_and_replayed("wrong");
  CHECK(report.agreement() == Agreement::differs);
  CHECK(report.differing_bytes() >= 256);
}

TEST_CASE("larger memory is kept as a hash") {
  for (const char* how : {"live", "wrong"}) {
    const ReplayReport report = recorded_and_replayed(how, "--last-memory=2000");
    REQUIRE(report.checked.size() == 1);
    CHECK(report.checked[0].call.find("hash") != std::string::npos);
    CHECK(report.exact() == (std::string(how) == "live"));
  }
}

TEST_CASE("memory that nobody has written to since it was allocated is not kept") {
  const ReplayReport report = recorded_and_replayed("untouched");
  CHECK(report.agreement() == Agreement::nothing_compared);
  CHECK(report.recorded_bytes == 0);
}

TEST_CASE("a program whose kernel never ends is not waited for, and nothing was compared") {
  const ReplayReport report = recorded_and_replayed("endless");
  CHECK(report.agreement() == Agreement::nothing_compared);
}

TEST_CASE("nothing is kept beyond the limit") {
  CHECK(recorded_and_replayed("live", "--last-memory=1000").agreement() == Agreement::nothing_compared);
  CHECK(recorded_and_replayed("freed", "--last-memory=0").agreement() == Agreement::nothing_compared);
}

TEST_CASE("of a program that copies its results to the host nothing more is kept, unless it is wanted") {
  CHECK(recorded_and_replayed("copied").checked.size() == 1);
  const ReplayReport report = recorded_and_replayed("copied", "--last-memory-always");
  CHECK(report.exact());
  CHECK(report.checked.size() == 2);
}
