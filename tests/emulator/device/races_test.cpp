// What a launch leaves never depends on the number of host threads, though its CTAs race.
#include <doctest/doctest.h>

#include "tests/emulator/device/case_run.h"

using namespace wedjat;

TEST_CASE("CTAs that race leave what one thread leaves, again and again") {
  for (const char* name :
       {"race_stores", "race_update_load", "race_branches", "race_after_atomic", "last_cta_adds"}) {
    const test::CaseFile file =
        test::read_case(std::string(WEDJAT_SOURCE_DIR "/tests/emulator/device/cases/run/") + name + ".ptx");
    const auto alone = test::run_case(file, 1).buffers;
    for (const unsigned threads : {2u, 3u, 7u})
      for (int turn = 0; turn < 20; ++turn) {
        CAPTURE(name);
        CAPTURE(threads);
        REQUIRE(test::run_case(file, threads).buffers == alone);
      }
  }
}
