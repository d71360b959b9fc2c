// Launches on several threads: what was noted of them, and what comes of them.
#include "emulator/sched/races/guard.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/sched/ptx_launch.h"

using namespace wedjat;

namespace {

bool are_apart(const std::string& body) {
  test::PtxLaunch made(body, {}, 4);
  return sched::have_at_most(sched::Bond::none, made.launch());
}

}  // namespace

TEST_CASE("who stores with one lane touches one element, the first time too") {
  const std::string of_cta = "mul.wide.u32 %rd4, %r3, 4; add.s64 %rd5, %rd2, %rd4;";
  CHECK(are_apart(of_cta + "setp.ne.s32 %p1, %r5, 0; @%p1 bra END; st.global.u32 [%rd5], %r2;"));
  CHECK(are_apart(of_cta + "setp.eq.s32 %p1, %r5, 0; @%p1 st.global.u32 [%rd5], %r2;"));
  CHECK_FALSE(are_apart(of_cta + "setp.eq.s32 %p1, %r5, 0; @%p1 st.global.u32 [%rd5], %r2;"
                                 "@%p1 st.global.u32 [%rd5+4], %r2;"));
}

TEST_CASE("a launch whose CTAs have nothing to do with each other is not undone, and comes out the same") {
  // Each thread adds its index to its own element, again and again.
  const std::string body = R"(mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd2, %rd4; mov.u32 %r7, 5;
LOOP: ld.global.u32 %r6, [%rd5]; add.s32 %r6, %r6, %r2; st.global.u32 [%rd5], %r6;
      add.s32 %r7, %r7, -1; setp.ne.s32 %p1, %r7, 0; @%p1 bra LOOP;)";
  for (const unsigned threads : {1u, 4u}) {
    CAPTURE(threads);
    test::PtxLaunch made(body, {}, threads);
    sched::run_grid(made.launch());
    sched::run_grid(made.launch());
    for (std::uint32_t i = 0; i < 64 * 128; i += 37) CHECK(made.words(made.b)[i] == 10 * i);
  }
}

TEST_CASE("a thread that takes CTAs of another one's, behind its own, does not change who stores last") {
  // The first CTA is busy until the other thread has ended its own half and takes some of the first one.
  const std::string body = R"(setp.ne.s32 %p1, %r3, 0; @%p1 bra STORE; mov.u32 %r7, 100000;
LOOP: add.s32 %r7, %r7, -1; setp.ne.s32 %p1, %r7, 0; @%p1 bra LOOP; bra END;
STORE: setp.lt.u32 %p1, %r3, 16; @%p1 bra END; st.global.u32 [%rd2], %r3;)";
  for (int round = 0; round < 10; ++round) {
    test::PtxLaunch made(body, {}, 2);
    sched::run_grid(made.launch());
    CHECK(made.words(made.b)[0] == 63);
  }
}
