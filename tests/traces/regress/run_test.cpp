#include "traces/regress/run.h"

#include <doctest/doctest.h>

using namespace wedjat::traces;

namespace {

Outcome outcome_of(const Recording& recording, const Expectations& expectations = {}) {
  RegressOptions options;
  options.jobs = 2;
  return regress({recording}, expectations, options).at(0);
}

}  // namespace

TEST_CASE("recordings are replayed side by side, each judged by itself") {
  std::vector<Recording> recordings;
  for (const char* name : {"saxpy", "reduction", "histogram"})
    recordings.push_back(
        {"samples", name, std::string(WEDJAT_SOURCE_DIR "/traces/samples/") + name + ".tar.zst"});
  recordings.push_back({"samples", "absent", WEDJAT_SOURCE_DIR "/traces/samples/absent.tar.zst"});
  RegressOptions options;
  options.jobs = 2;
  options.without_contraction = true;
  std::uint64_t last = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t all) {
    CHECK(done == last + 1);
    CHECK(all == 4);
    last = done;
  };
  const auto outcomes = regress(recordings, {}, options);
  REQUIRE(outcomes.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(outcomes[i].recording.name == recordings[i].name);
    CHECK(outcomes[i].verdict == Verdict::exact);
    CHECK(outcomes[i].kernels() >= 1);
    CHECK(outcomes[i].report.thread_instructions() > 0);
  }
  CHECK(outcomes[3].verdict == Verdict::failed);
  CHECK(outcomes[3].error.find("absent") != std::string::npos);
  CHECK(last == 4);
}

TEST_CASE("expectations do not make an exact program worse") {
  const Recording saxpy{"samples", "saxpy", WEDJAT_SOURCE_DIR "/traces/samples/saxpy.tar.zst"};
  CHECK(outcome_of(saxpy, {{"samples/saxpy", {{1, 0, 3, "order"}}}}).verdict == Verdict::exact);
}
