// Lost events: none when the buffers are full, and counted when they are lost all the same.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include "interposer/record/session.h"
#include "tests/interposer/recording.h"
#include "traces/format/state.h"

using namespace wedjat;

namespace {

struct Outcome {
  std::int64_t discarded;
  std::uint64_t numbered;
};

// The smallest buffers LTTng allows, and a program that fills them at once.
Outcome burst(const std::filesystem::path& trace, bool may_wait, const char* calls) {
  const auto installation = interposer::find_installation(WEDJAT_BUILD_DIR);
  traces::StatePage& state = traces::map_state(trace, true);
  interposer::Session session(installation, trace / "events", {4096, 2});
  interposer::Environment environment = session.program_environment();
  environment["WEDJAT_TRACE"] = trace;
  environment["WEDJAT_LIBCUDA"] = WEDJAT_FAKE_DRIVER;
  environment["LD_PRELOAD"] = installation.recorder;
  if (!may_wait) environment.erase("LTTNG_UST_ALLOW_BLOCKING");
  REQUIRE(interposer::run_and_wait({WEDJAT_DRIVER_PROGRAM, "burst", calls}, environment, 120).status == 0);
  const std::int64_t discarded = session.close();
  return {discarded, state.next_sequence.load()};
}

}  // namespace

TEST_CASE("a program that may not wait loses events, and LTTng's count says how many") {
  const test::Folder folder;
  const Outcome outcome = burst(folder.path(), false, "20000");
  CHECK(outcome.discarded > 0);
  CHECK(outcome.discarded < static_cast<std::int64_t>(outcome.numbered));
}

TEST_CASE("a program that waits loses none, however small the buffers") {
  const test::Folder folder;
  const Outcome outcome = burst(folder.path(), true, "500");
  CHECK(outcome.discarded == 0);
  CHECK(outcome.numbered > 1000);
}
