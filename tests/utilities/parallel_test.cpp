// Handlers on all host threads, warps that sleep for a tool: the same is told as on one thread, with all
// events.
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "tests/utilities/kernels.h"
#include "tests/utilities/watched.h"
#include "utilities/include/wedjat/tool.hpp"

using namespace wedjat::test;

namespace {

// Each thread stores into a word of its own: CTAs that raced would run on one host thread.
const char* const apart = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .pred %p1;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
@%p1 add.s32 %r1, %r1, 100;
  st.global.u32 [%rd3], %r1;
  ret; })";

// How many handlers are inside at once. With `waits` the first waits for a second, or for long.
struct Meeting {
  bool waits = false;
  std::atomic<int> inside = 0, most = 0;
  void visit() {
    const int now = ++inside;
    if (now > most) most = now;
    for (int i = 0; i < (waits ? 5000 : 1) && most < 2; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
  }
};
Meeting* meeting = nullptr;
std::uint64_t sum = 0;
unsigned most_threads = 0;

struct Parallel : wedjat::Tool {
  wedjat::PerThread<std::uint64_t> sums;
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : wedjat::instructions(k))
      if (i.what & WEDJAT_STORE) before<&Parallel::stored>(i, WEDJAT_ADDRESSES);
  }
  bool launch_begin(const wedjat_launch& launch) override {
    sums.begin(launch);
    most_threads = launch.threads;
    return true;
  }
  bool cta_begin(const wedjat_launch& launch, std::uint64_t) override {
    CHECK(thread() < launch.threads);
    return true;
  }
  void stored(const wedjat::Event& event) {
    if (meeting != nullptr) meeting->visit();
    sums[event] += event.addresses[0][0];
    if (event.cta % 3 == 0) finding(WEDJAT_WARNING, "third", "a CTA of three", event, 0);
  }
  void finish() override {
    sum = 0;
    sums.each([](std::uint64_t part) { sum += part; });
  }
};

// Each CTA has 128 bytes of the buffer to itself. Every CTA but the first three stores a NaN it makes, reads
// shared memory that nobody wrote, and does so where another warp of it stores.
const char* const faulty = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<7>; .reg .f32 %f<3>; .reg .pred %p<4>;
  .shared .align 4 .b8 tile[512];
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  shl.b32 %r3, %r2, 7;
  and.b32 %r4, %r1, 31;
  shl.b32 %r4, %r4, 2;
  add.u32 %r3, %r3, %r4;
  cvt.u64.u32 %rd2, %r3;
  add.s64 %rd3, %rd1, %rd2;
  setp.lt.u32 %p1, %r2, 3;
  setp.ge.u32 %p2, %r1, 32;
@%p1 bra QUIET;
@%p2 bra OTHER;
  mov.u32 %r5, tile;
  add.u32 %r5, %r5, %r4;
  ld.shared.u32 %r6, [%r5];
  setp.eq.u32 %p3, %r6, 7;
@%p3 st.global.u32 [%rd3], %r6;
  mov.f32 %f1, 0fBF800000;
  sqrt.rn.f32 %f2, %f1;
  st.global.f32 [%rd3], %f2;
  ret;
OTHER:
  mov.u32 %r5, tile;
  st.shared.u32 [%r5], %r1;
  ret;
QUIET:
@%p2 ret;
  st.global.u32 [%rd3], %r1;
  ret; })";

struct Drowsy : wedjat::Tool {
  std::map<std::string, int> seen;
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : wedjat::instructions(k))
      if (i.what & WEDJAT_HAS_ROWS)
        after<&Drowsy::ran>(i,
                            WEDJAT_ROWS | WEDJAT_INPUTS | (i.access_count == 0 ? WEDJAT_UNLESS_ASLEEP : 0));
  }
  void ran(const wedjat::Event& event) {
    ++seen[event.instruction->opcode];
    sleep(event, event.warp % 2 == 0 && event.instruction->access_count == 0);
  }
  void finish() override {
    auto rows = table("seen", "opcode times");
    for (const auto& [opcode, times] : seen) rows.row(opcode, times);
  }
};

Watched run(const wedjat_tool& tool, Grid grid) { return watch(apart, {}, grid, &tool); }

}  // namespace

TEST_CASE("a tool that says so handles events on several threads, with the same results") {
  const wedjat_tool& tool =
      *wedjat::Tool::describe<Parallel>("parallel", "sums addresses", "", WEDJAT_PARALLEL);
  const Watched one = run(tool, {.ctas = 64, .threads = 32, .host_threads = 1});
  const std::uint64_t sum_of_one = sum;
  Meeting here{.waits = true};
  meeting = &here;
  const Watched many = run(tool, {.ctas = 64, .threads = 32, .host_threads = 4});
  meeting = nullptr;
  CHECK(here.most > 1);
  CHECK(most_threads == 4);
  CHECK(sum == sum_of_one);
  CHECK(one.memory == many.memory);
  CHECK(one.tools == many.tools);
  CHECK(one.kinds().size() == 22);
}

TEST_CASE("a tool that does not say so handles one event at a time") {
  static const wedjat_tool tool = [] {
    wedjat_tool serial = *wedjat::Tool::describe<Parallel>("parallel", "sums addresses", "", WEDJAT_PARALLEL);
    serial.capabilities = 0;
    return serial;
  }();
  Meeting here;
  meeting = &here;
  const Watched many = run(tool, {.ctas = 64, .threads = 32, .host_threads = 4});
  meeting = nullptr;
  CHECK(here.most == 1);
  CHECK(many.kinds().size() == 22);
}

TEST_CASE("warps that sleep leave out what may be left out, and no other events") {
  const wedjat_tool& tool = *wedjat::Tool::describe<Drowsy>("drowsy", "sleeps in even warps");
  const Watched w = run(tool, {.ctas = 1, .threads = 64});
  // Both warps store; the even one sleeps from its first event on.
  CHECK(w.number("seen", "st") == 2);
  CHECK(w.number("seen", "mul") == 1);
}

TEST_CASE("built-in tools that are parallel tell the same on any number of threads") {
  for (const std::string tool : {"branch_divergence,depth=1", "memory_divergence"})
    for (const auto& kernel : {std::string(looping), strided(4)}) {
      const Watched one = watch(kernel, {tool}, {.ctas = 64, .threads = 64, .host_threads = 1});
      CHECK(one.tools == watch(kernel, {tool}, {.ctas = 64, .threads = 64, .host_threads = 4}).tools);
    }
}

TEST_CASE("checkers run on several threads where CTAs have nothing to do with each other") {
  // What describe() makes is one for all cases.
  static const wedjat_tool tool = [] {
    wedjat_tool apart_only =
        *wedjat::Tool::describe<Parallel>("parallel", "sums addresses", "", WEDJAT_PARALLEL);
    apart_only.capabilities = WEDJAT_APART;
    return apart_only;
  }();
  Meeting here{.waits = true};
  meeting = &here;
  SUBCASE("CTAs apart") {
    watch(apart, {}, {.ctas = 64, .threads = 32, .host_threads = 4}, &tool);
    CHECK(here.most > 1);
  }
  SUBCASE("all CTAs store to one word") {
    here.waits = false;
    std::string together = apart;
    together.replace(together.find("mov.u32 %r2, %ctaid.x"), 21, "mov.u32 %r2, 0");
    watch(together, {}, {.ctas = 64, .threads = 32, .host_threads = 4}, &tool);
    CHECK(here.most == 1);
  }
  meeting = nullptr;
}

TEST_CASE("checkers tell the same on any number of threads") {
  for (const std::string tool :
       {"memory_check", "memory_check,uninitialised=eager", "race_check", "first_nan", "sync_check"})
    for (const unsigned launches : {1u, 3u}) {
      INFO(tool);
      const Watched one =
          watch(faulty, {tool}, {.ctas = 200, .threads = 64, .host_threads = 1, .launches = launches});
      CHECK(one.tools[0]["findings"].empty() == (tool == "sync_check"));
      for (unsigned round = 0; round < 5; ++round)
        CHECK(one.tools ==
              watch(faulty, {tool}, {.ctas = 200, .threads = 64, .host_threads = 4, .launches = launches})
                  .tools);
    }
}

TEST_CASE("what stores to several devices is tried out as no update of one word") {
  const Watched w = watch(R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd1; .reg .b32 %r1; .reg .pred %p1;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 99;
@%p1 multimem.st.relaxed.sys.global.u32 [%rd1], %r1;
  ret; })",
                          {"first_nan"}, {.ctas = 2, .threads = 64, .host_threads = 2});
  CHECK(w.failure == "");
}
