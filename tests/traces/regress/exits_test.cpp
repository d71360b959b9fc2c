// Recordings in native code that is left again and again, at places that a number chooses: what the hardware
// brought back, and what was counted, must not depend on where the interpreter takes over.
#include <doctest/doctest.h>

#include "emulator/compile/tier/tier.h"
#include "traces/regress/run.h"

using namespace wedjat;

namespace {

std::vector<traces::Outcome> with_exits(const std::vector<traces::Recording>& recordings,
                                        std::shared_ptr<compile::Tier> tier) {
  traces::RegressOptions options;
  options.native = std::move(tier);
  return traces::regress(recordings, {}, options);
}

}  // namespace

TEST_CASE("recordings of Polybench, with exits in the middle of native code") {
  const auto recordings = traces::find_recordings(WEDJAT_SOURCE_DIR "/traces/regression/polybench");
  const auto interpreted = with_exits(recordings, nullptr);
  for (const std::uint32_t leave : {3, 17}) {
    const auto tier =
        std::make_shared<compile::Tier>(compile::TierOptions{.when = compile::When::always, .leave = leave});
    REQUIRE(tier->missing().empty());
    const auto native = with_exits(recordings, tier);
    REQUIRE(native.size() == interpreted.size());
    std::uint64_t steps = 0, native_steps = 0;
    for (std::size_t i = 0; i < native.size(); ++i) {
      for (const traces::Launched& launch : native[i].report.launched) {
        steps += launch.steps;
        native_steps += launch.native_steps;
      }
      CAPTURE(native[i].recording.full_name());
      CAPTURE(native[i].error);
      CHECK(native[i].verdict == traces::Verdict::exact);
      CHECK(native[i].report.thread_instructions() == interpreted[i].report.thread_instructions());
    }
    // Both tiers had their part.
    CHECK(native_steps > steps / 10);
    CHECK(native_steps < steps);
  }
}
