// CTAs that do not fill a warp: code is made for the lanes that they have.
#include <doctest/doctest.h>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// Wide blocks end at the end of the buffer. Each thread adds up what others left in shared memory, behind a
// barrier, in a loop that lanes leave one by one; every other one of them takes a way of its own.
constexpr test::TieredKernel tiles = {"tiles", R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 rounds, .param .u32 most) {
  .reg .b64 %out, %at; .reg .b32 %i, %n, %m, %rounds, %most, %x, %y, %sum, %turn, %s, %t, %w, %v<4>; .reg .pred %p, %q, %h;
  .shared .align 4 .b8 tile[512];
  ld.param.u64 %out, [out]; ld.param.u32 %rounds, [rounds]; ld.param.u32 %most, [most];
  mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %w, %ntid.x; mad.lo.u32 %i, %y, %w, %x;
  mov.u32 %m, %ntid.y; mul.lo.u32 %n, %w, %m;
  mov.u32 %t, %ctaid.x; mad.lo.u32 %t, %t, %n, %i; mul.wide.u32 %at, %t, 4; add.u64 %at, %out, %at;
  mov.u32 %s, tile; mad.lo.u32 %s, %i, 4, %s;
  ld.global.u32 %sum, [%at];
  mov.u32 %turn, 0;
again:
  st.shared.u32 [%s], %sum;
  bar.sync 0;
  add.u32 %t, %i, %turn; rem.u32 %t, %t, %n; mov.u32 %v0, tile; mad.lo.u32 %t, %t, 4, %v0;
  ld.shared.u32 %v1, [%t];
  bar.sync 0;
  and.b32 %v2, %v1, 1; setp.ne.u32 %p, %v2, 0;
  @%p bra odd;
  mad.lo.u32 %sum, %v1, 3, %sum;
  bra.uni join;
odd:
  setp.ge.u32 %q, %x, %most;
  @%q bra join;
  sub.u32 %sum, %sum, %v1;
join:
  mov.u32 %v3, 0;
count:
  add.u32 %v3, %v3, 5; add.u32 %sum, %sum, %v3; setp.lt.u32 %h, %v3, %i;
  @%h bra count;
  add.u32 %turn, %turn, 1; setp.lt.u32 %q, %turn, %rounds;
  @%q bra again;
  vote.sync.any.pred %p, %p, -1;
  activemask.b32 %v2; add.u32 %sum, %sum, %v2;
  @%p add.u32 %sum, %sum, 7;
  st.global.u32 [%at], %sum;
  ret;
})",
                                      96};

// Nothing stops a warp on its way: CTAs are swept.
constexpr test::TieredKernel plain = {"plain", R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 limit, .param .u32 more) {
  .reg .b64 %out, %at; .reg .b32 %i, %n, %limit, %more, %x, %y, %w, %m, %t, %v; .reg .pred %p;
  ld.param.u64 %out, [out]; ld.param.u32 %limit, [limit]; ld.param.u32 %more, [more];
  mov.u32 %x, %tid.x; mov.u32 %y, %tid.y; mov.u32 %w, %ntid.x; mad.lo.u32 %i, %y, %w, %x;
  mov.u32 %m, %ntid.y; mul.lo.u32 %n, %w, %m;
  mov.u32 %t, %ctaid.x; mad.lo.u32 %t, %t, %n, %i; setp.ge.u32 %p, %t, %limit;
  @%p bra end;
  mul.wide.u32 %at, %t, 4; add.u64 %at, %out, %at;
  ld.global.u32 %v, [%at]; mad.lo.u32 %v, %v, %more, %t; st.global.u32 [%at], %v;
end:
  ret;
})",
                                      96};

}  // namespace

TEST_CASE("CTAs of less than a warp do in native code what they do otherwise") {
  for (const std::uint32_t threads : {16u, 12u, 5u, 1u, 24u})
    for (const std::uint32_t most : {0u, 7u, 100u})
      for (const char* features : {"", "-avx512f"}) {
        CAPTURE(threads);
        const test::TieredLaunch launch{
            .arguments = {6, most}, .blocks = 96 / threads, .threads = threads, .times = 2};
        CHECK(test::compare_tiers(tiles, launch, {.features = features}) > .5);
        test::compare_tiers(tiles, launch, {.features = features, .leave = 3});
        test::TieredLaunch limited = launch;
        limited.step_limit = 150;
        test::compare_tiers(tiles, limited, {.features = features});
      }
}

TEST_CASE("and those whose lanes stand in a block, or that have a warp and a part of one") {
  for (const auto& shape : {std::pair{4u, 4u}, std::pair{8u, 2u}, std::pair{4u, 3u}, std::pair{8u, 3u},
                            std::pair{48u, 1u}, std::pair{8u, 6u}}) {
    const std::uint32_t width = shape.first, height = shape.second;
    CAPTURE(width);
    CAPTURE(height);
    const test::TieredLaunch launch{
        .arguments = {6, 3}, .blocks = 96 / width / height, .threads = width, .times = 2, .height = height};
    test::compare_tiers(tiles, launch);
    test::compare_tiers(tiles, launch, {.leave = 3});
  }
}

TEST_CASE("CTAs of less than a warp are swept") {
  for (const auto& shape : {std::pair{16u, 1u}, std::pair{4u, 4u}, std::pair{8u, 3u}, std::pair{3u, 1u}})
    for (const std::uint32_t limit : {96u, 50u, 0u})
      for (const unsigned host_threads : {1u, 2u}) {
        const std::uint32_t width = shape.first, height = shape.second;
        CAPTURE(width);
        const test::TieredLaunch launch{.arguments = {limit, 3},
                                        .blocks = 96 / width / height,
                                        .threads = width,
                                        .host_threads = host_threads,
                                        .times = 4,
                                        .height = height};
        CHECK(test::compare_tiers(plain, launch) > .8);
      }
}
