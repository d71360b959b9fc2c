// Recordings made here with the fake driver, replayed: memory that host and device share.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/interposer/recording.h"
#include "traces/replay/replay.h"

using namespace wedjat::traces;

namespace {

Trace recorded(const test::Folder& folder, const std::string& argument, bool verify = false) {
  const auto path = folder.path() / "t";
  std::string command = test::record_command(path, argument, WEDJAT_SHARED_MEMORY_PROGRAM);
  if (verify) command.insert(command.find(" record ") + 8, "--verify ");
  REQUIRE(test::run(command) == 0);
  return open_trace(path);
}

ReplayReport recorded_and_replayed(const std::string& argument, bool verify = false) {
  const test::Folder folder;
  return replay(recorded(folder, argument, verify), {});
}

}  // namespace

TEST_CASE("what the host and the device did in turns on shared memory replays exactly") {
  const ReplayReport report = recorded_and_replayed("plain");
  CHECK(report.exact());
  CHECK(report.differing_bytes() == 0);
  CHECK(report.compared_bytes() >= 1024);
  CHECK(report.launched.size() == 3);
}

TEST_CASE(
    "a kernel that writes what the hardware did not write is caught, though nothing was recorded of those "
    "bytes") {
  const ReplayReport report = recorded_and_replayed("stray");
  CHECK(!report.exact());
  CHECK(report.differing_bytes() >= 1);
  REQUIRE(!report.checked.empty());
}

TEST_CASE("a kernel without PTX is refused, or stepped over by what the hardware did") {
  CHECK_THROWS_WITH_AS(recorded_and_replayed("opaque"), doctest::Contains("increment has no PTX"),
                       ReplayRefused);
  const ReplayReport report = recorded_and_replayed("opaque", true);
  CHECK(report.exact());
  CHECK(report.stepped_over.size() == 3);
  CHECK(report.launched.empty());
}

TEST_CASE("with --time the tool that predicts shows what the hardware took, and has its registers") {
  const test::Folder folder;
  const auto path = folder.path() / "t";
  std::string command = test::record_command(path, "plain", WEDJAT_SHARED_MEMORY_PROGRAM);
  command.insert(command.find(" record ") + 8, "--time ");
  REQUIRE(test::run(command) == 0);
  const std::string said = (folder.path() / "said").string();
  REQUIRE(std::system(
              (std::string(WEDJAT_COMMAND) + " replay " + path.string() + " --time > " + said).c_str()) == 0);
  std::ifstream in(said);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t recorded_time = text.find("recorded time");
  REQUIRE(recorded_time != text.npos);
  CHECK(text.find("2 increment          250 ", recorded_time) != text.npos);
  CHECK(text.find("2 increment   32      32        24 ") < recorded_time);  // registers
}

TEST_CASE("with --verify every launch is compared") {
  const ReplayReport report = recorded_and_replayed("plain", true);
  CHECK(report.exact());
  CHECK(!recorded_and_replayed("stray", true).exact());
}

TEST_CASE("what a copy to shared memory brought wrong lies where on the device it came from") {
  const test::Folder folder;
  const Trace trace = recorded(folder, "wrong");
  const Calls calls = group_calls(trace);
  const Call& copy = test::call_of(calls, "cuMemcpyDtoHAsync_v2");
  const ReplayReport report = replay(trace, {});
  const auto checked = std::ranges::find(report.checked, copy.sequence(), &Checked::sequence);
  REQUIRE(checked != report.checked.end());
  CHECK(!checked->difference.same());
  CHECK(checked->address == copy.entry->number("srcDevice"));
  // Told once: from then on that memory holds what it held on the hardware.
  CHECK(std::all_of(checked + 1, report.checked.end(), [](const Checked& c) { return c.difference.same(); }));
}
