// Every bundled recording of a GPU replays with all bits equal, whatever the number of host threads.
#include "tests/traces/replay/samples.h"

#include <doctest/doctest.h>

#include "traces/replay/replay.h"

using namespace wedjat::traces;

TEST_CASE("all samples replay exactly") {
  const auto all = samples();
  REQUIRE(all.size() >= 8);
  for (const auto& path : all) {
    INFO(path.filename().string());
    const Trace trace = open_trace(path);
    CHECK(trace.flaws.empty());
    CHECK(trace.manifest.device->name.starts_with("NVIDIA H"));
    ReplayReport first;
    for (unsigned threads : {1u, 3u}) {
      INFO(threads, " threads");
      ReplayOptions options;
      options.threads = threads;
      const ReplayReport report = replay(trace, options);
      for (const auto& checked : report.checked) {
        INFO(checked.call, " seq ", checked.sequence, ": expected ", checked.difference.expected, ", got ",
             checked.difference.got);
        CHECK(checked.difference.differing_bytes == 0);
      }
      CHECK(report.exact());
      CHECK(report.compared_bytes() > 0);
      CHECK(!report.launched.empty());
      if (threads == 1)
        first = report;
      else
        CHECK(report.thread_instructions() == first.thread_instructions());
    }
  }
}

TEST_CASE("copies are moved in parts: the limit of what they may take at once does not refuse them") {
  constexpr std::uint64_t limit = 100'000;
  const std::filesystem::path sample = WEDJAT_SOURCE_DIR "/traces/samples/saxpy.tar.zst";
  ReplayOptions options;
  options.memory_limit = limit;
  const ReplayReport report = replay(open_trace(sample, {.memory = limit}), options);
  CHECK(report.exact());
  REQUIRE(!report.checked.empty());
  CHECK(report.checked[0].difference.bytes > limit);
}
