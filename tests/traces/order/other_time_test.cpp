// Which instructions show another time, and that nothing else changes.
#include "traces/order/other_time.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/traces/order/launched.h"

using namespace wedjat;

namespace {

// Two clocks, a timer and the lane of each of 32 threads.
constexpr const char* kernel = R"(.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<6>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %laneid;
  mul.wide.u32 %rd2, %r1, 32;
  add.s64 %rd1, %rd1, %rd2;
  mov.u64 %rd3, %clock64;
  mov.u32 %r2, %clock;
  mov.u64 %rd4, %globaltimer;
  cvt.u64.u32 %rd2, %r1;
  cvt.u64.u32 %rd5, %r2;
  st.global.v2.u64 [%rd1], {%rd3, %rd5};
  st.global.v2.u64 [%rd1+16], {%rd4, %rd2};
  ret; })";

struct Row {
  std::uint64_t clock64, clock, timer, lane;
};

std::vector<Row> shown(bool other, std::vector<traces::Cause>& readers) {
  hooks::Hooks hooks;
  if (other) traces::let_time_differ(hooks, readers);
  return test::launched<Row>(kernel, 32, other ? &hooks : nullptr, 32);
}

}  // namespace

TEST_CASE("clocks and timers of all lanes show another time, other registers what they are") {
  std::vector<traces::Cause> readers;
  const std::vector<Row> here = shown(false, readers), other = shown(true, readers);
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    CHECK(other[lane].clock64 > here[lane].clock64);
    CHECK(other[lane].clock > here[lane].clock);
    CHECK(other[lane].timer > other[lane].clock64);
    CHECK(other[lane].lane == lane);
  }
  REQUIRE(readers.size() == 3);
  CHECK(readers[0].kernel == "k");
  CHECK(readers[0].text.starts_with("'mov.u64 %rd3, %clock64' at k.ptx:10 of k"));
}
