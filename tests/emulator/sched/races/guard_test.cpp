// Launches on several threads: what was noted of them, and what comes of them.
#include "emulator/sched/races/guard.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "emulator/exec/access/fault.h"
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

namespace {

// Each thread adds 7 to the element of b, or of a, that its own element of a names.
const std::string gather = R"(mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd2, %rd4; add.s64 %rd6, %rd1, %rd4;
  ld.global.s32 %r6, [%rd6]; mul.wide.s32 %rd7, %r6, 4; add.s64 %rd8, %rd1, %rd7;
  ld.global.u32 %r7, [%rd8]; add.s32 %r7, %r7, 7; st.global.u32 [%rd5], %r7;)";
constexpr std::uint32_t elements = 64 * 128;

struct Outcome {
  std::vector<std::uint32_t> words;
  std::string fault;
  bool operator==(const Outcome&) const = default;
};

using Prepare = std::function<void(test::PtxLaunch&)>;

// What b holds after some launches.
Outcome outcome(const std::string& body, unsigned threads, const Prepare& prepare, unsigned launches = 3) {
  test::PtxLaunch made(body, {}, threads);
  prepare(made);
  Outcome result;
  try {
    for (unsigned i = 0; i < launches; ++i) sched::run_grid(made.launch());
  } catch (const exec::Fault& fault) {
    result.fault = fault.what();
  }
  if (result.fault.empty()) result.words.assign(made.words(made.b), made.words(made.b) + elements);
  return result;
}

void same_on_any_threads(const std::string& body, const Prepare& prepare) {
  const Outcome on_one = outcome(body, 1, prepare);
  for (const unsigned threads : {2u, 4u, 7u}) {
    CAPTURE(threads);
    CHECK(outcome(body, threads, prepare) == on_one);
  }
}

// So many elements lie from a to b.
constexpr std::uint32_t to_b = (test::PtxLaunch::b - test::PtxLaunch::a) / 4;

Prepare indices(std::uint32_t (*index_of)(std::uint32_t)) {
  return [=](test::PtxLaunch& made) {
    for (std::uint32_t i = 0; i < elements; ++i) made.words(made.a)[i] = index_of(i);
  };
}

}  // namespace

TEST_CASE("who reads at addresses that were loaded gets what one thread gives it") {
  SUBCASE("from what nobody writes") {
    same_on_any_threads(gather, indices([](std::uint32_t i) { return i * 31 % elements; }));
  }
  SUBCASE("from what another CTA writes, before or behind it") {
    same_on_any_threads(gather, indices([](std::uint32_t i) { return to_b + (i + 200) % elements; }));
    same_on_any_threads(gather,
                        indices([](std::uint32_t i) { return to_b + (i + elements - 200) % elements; }));
  }
  SUBCASE("once only, in the last CTA") {
    same_on_any_threads(gather, indices([](std::uint32_t i) { return i == elements - 1 ? to_b : i; }));
  }
  SUBCASE("from beside what is written, in one allocation") {
    same_on_any_threads(gather, indices([](std::uint32_t i) { return to_b + elements + i * 31 % elements; }));
  }
  SUBCASE("from where nothing is") {
    same_on_any_threads(gather, indices([](std::uint32_t i) { return i < 5000 ? i : to_b / 2; }));
  }
  SUBCASE("from the same memory at another address") {
    same_on_any_threads(gather, [](test::PtxLaunch& made) {
      constexpr std::uint64_t other = test::PtxLaunch::b + test::PtxLaunch::bytes;
      made.memory.adopt_at(other, made.memory.host(made.b, made.bytes, "test"), made.bytes, "the same again");
      for (std::uint32_t i = 0; i < elements; ++i)
        made.words(made.a)[i] = static_cast<std::uint32_t>((other - made.a) / 4) + (i + 200) % elements;
    });
  }
}

TEST_CASE("launches that read what they write do not change whether others of the kernel come out the same") {
  test::PtxLaunch one(gather, {}, 1), four(gather, {}, 4);
  for (const bool reads_b : {false, true, false, true, true, false, false, false}) {
    for (test::PtxLaunch* made : {&one, &four}) {
      for (std::uint32_t i = 0; i < elements; ++i)
        made->words(made->a)[i] = (reads_b ? to_b : 0) + (i * 7 + 200) % elements;
      sched::run_grid(made->launch());
    }
    CHECK(std::equal(one.words(one.b), one.words(one.b) + elements, four.words(four.b)));
  }
}

TEST_CASE("what a launch before wrote is no promise") {
  // Adds 1 to a number of b that a names, unless a's last number says to change what other CTAs read first.
  const std::string body = R"(mul.wide.u32 %rd4, %r2, 4; add.s64 %rd6, %rd1, %rd4; ld.global.u32 %r6, [%rd6];
    ld.global.u32 %r8, [%rd1+65536]; setp.eq.u32 %p1, %r8, 0; @%p1 bra COUNT;
    add.s32 %r9, %r2, 777; rem.u32 %r9, %r9, 8192; mul.wide.u32 %rd7, %r9, 4; add.s64 %rd8, %rd1, %rd7;
    st.global.u32 [%rd8], %r2;
COUNT: and.b32 %r6, %r6, 255; mul.wide.u32 %rd7, %r6, 4; add.s64 %rd8, %rd2, %rd7; red.global.add.u32 [%rd8], 1;)";
  test::PtxLaunch one(body, {}, 1), four(body, {}, 4);
  for (const unsigned says : {0, 0, 0, 1, 0, 0, 1, 1, 0}) {
    for (test::PtxLaunch* made : {&one, &four}) {
      for (std::uint32_t i = 0; i < elements; ++i) made->words(made->a)[i] = i * 31;
      made->words(made->a)[65536 / 4] = says;
      sched::run_grid(made->launch());
    }
    CHECK(std::equal(one.words(one.a), one.words(one.a) + elements, four.words(four.a)));
    CHECK(std::equal(one.words(one.b), one.words(one.b) + 256, four.words(four.b)));
  }
}
