// Recordings of an H200.
#include "traces/order/as_hardware.h"

#include <doctest/doctest.h>

#include "emulator/device/error.h"
#include "emulator/hooks/hooks.h"

using namespace wedjat;
using namespace wedjat::traces;

namespace {

Trace recording(const std::string& name) {
  return open_trace(WEDJAT_SOURCE_DIR "/traces/regression/" + name + ".tar.zst");
}

}  // namespace

TEST_CASE("warps that race are granted to advance side by side") {
  const Trace trace = recording("order/shared_rows");
  for (const unsigned threads : {1u, 2u}) {
    CHECK(replay(trace, {.threads = threads}).differing_bytes() > 0);
    const Granted granted = replay_as_hardware(trace, {.threads = threads});
    CHECK(granted.report.exact());
    CHECK(granted.options.side_by_side);
    REQUIRE(granted.notes.size() == 1);
    CHECK(granted.notes[0].find("threads race") != std::string::npos);
  }
}

TEST_CASE("what takes long side by side is given up, and says so") {
  const Trace trace = recording("order/shared_rows");
  // In the first launch, and between two.
  std::uint64_t steps = 0;
  for (const Launched& launched : replay(trace, {}).launched) steps += launched.steps;
  for (const std::uint64_t most : {std::uint64_t{10}, steps - 1}) {
    const Granted granted = replay_as_hardware(trace, {}, most);
    CHECK(granted.report.differing_bytes() > 0);
    CHECK_FALSE(granted.options.side_by_side);
    REQUIRE(granted.notes.size() == 1);
    CHECK(granted.notes[0].find("threads may race") != std::string::npos);
  }
  CHECK(replay_as_hardware(trace, {}, 2 * steps).report.exact());
}

TEST_CASE("where CTAs race, what differs is the same on any number of host threads") {
  const Trace trace = recording("order/read_races");
  const std::uint64_t differing = replay(trace, {.threads = 1}).differing_bytes();
  CHECK(differing > 0);
  for (const unsigned threads : {1u, 2u, 4u}) {
    CHECK(replay(trace, {.threads = threads}).differing_bytes() == differing);
    const Granted granted = replay_as_hardware(trace, {.threads = threads});
    CHECK(granted.report.differing_bytes() == differing);
    CHECK(granted.notes.empty());
  }
}

TEST_CASE("memory beside allocations is granted") {
  const Trace trace = recording("order/beside");
  CHECK_THROWS_WITH_AS(replay(trace, {}), doctest::Contains("on the hardware no kernel failed"),
                       device::Failed);
  const Granted granted = replay_as_hardware(trace, {});
  CHECK(granted.report.exact());
  CHECK(granted.options.surroundings);
  REQUIRE(granted.notes.size() == 1);
  CHECK(granted.notes[0].find("1024 bytes before") != std::string::npos);
}

TEST_CASE("who needs nothing is granted nothing, and nothing excuses what is computed wrong") {
  const Granted exact = replay_as_hardware(recording("polybench/lu"), {});
  CHECK(exact.report.exact());
  CHECK(exact.notes.empty());
  const Granted wrong = replay_as_hardware(recording("polybench/lu"), {.contract = kernel::Contract::none});
  CHECK(wrong.report.differing_bytes() > 0);
  CHECK(wrong.notes.empty());
  CHECK_FALSE(wrong.options.side_by_side);
}

TEST_CASE("warps advance side by side no further than to where something differs as well") {
  std::uint64_t calls = 0;
  const Granted wrong =
      replay_as_hardware(recording("polybench/lu"),
                         {.contract = kernel::Contract::none, .progress = [&](auto, auto) { ++calls; }});
  CHECK(calls > wrong.report.calls);
  CHECK(calls < 2 * wrong.report.calls);
}

TEST_CASE("tools see one replay, as it is") {
  hooks::Hooks hooks;
  CHECK(replay_as_hardware(recording("order/shared_rows"), {.hooks = &hooks}).report.differing_bytes() > 0);
  CHECK_THROWS_AS(replay_as_hardware(recording("order/beside"), {.hooks = &hooks}), device::Failed);
}
