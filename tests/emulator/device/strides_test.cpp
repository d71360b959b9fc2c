// Lanes that access members of structures in an array, and vectors here and there: in both tiers the same
// bits, counts and faults.
#include <doctest/doctest.h>

#include <string>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

constexpr std::uint32_t threads = 64, stride = 48, words = threads * stride / 4;

// Each lane has a structure of 48 bytes, the second argument says where the first one begins.
test::TieredKernel in_structures(const std::string& body, std::string& text) {
  text = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 limit, .param .u32 from) {
  .reg .b64 %out, %at, %down, %wide, %d<8>; .reg .b32 %limit, %from, %i, %last, %r<16>; .reg .b16 %h<8>;
  .reg .pred %p, %q; .reg .f32 %f<8>;
  .shared .align 16 .b8 tile[4096];
  ld.param.u64 %out, [out]; ld.param.u32 %limit, [limit]; ld.param.u32 %from, [from];
  mov.u32 %i, %tid.x; cvt.u64.u32 %wide, %from; add.u64 %out, %out, %wide;
  setp.lt.u32 %p, %i, %limit;
  mad.wide.u32 %at, %i, 48, %out;
  mov.u32 %last, 63; sub.u32 %last, %last, %i; mad.wide.u32 %down, %last, 48, %out;
)" + body +
         "  ret;\n}\n";
  return {"strides", text.c_str(), words};
}

// All lanes, some, one, none; structures that end with the allocation, go beyond it, and are not aligned.
void compare_strides(const std::string& body) {
  std::string text;
  const test::TieredKernel kernel = in_structures(body, text);
  for (const std::uint32_t limit : {64u, 63u, 33u, 17u, 1u, 0u})
    for (const std::uint32_t from : {0u, 16u, 96u, 4u})
      for (const char* features : {"", "-avx512f"})
        test::compare_tiers(kernel, {.arguments = {limit, from}, .threads = threads, .times = 2},
                            {.features = features});
}

}  // namespace

TEST_CASE("members of structures are read and written as lanes do one by one") {
  compare_strides(R"(
  @!%p bra end;
  ld.global.u32 %r1, [%at]; ld.global.u64 %d1, [%at+8]; ld.global.u8 %r2, [%at+5]; ld.global.s16 %r3, [%at+18];
  add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; xor.b64 %d1, %d1, 77;
  st.global.u32 [%at+4], %r1; st.global.u64 [%at+16], %d1; st.global.u8 [%at+3], %r3; st.global.u16 [%at+30], %r1;
end:
)");
}

TEST_CASE("a guard leaves members of structures alone") {
  compare_strides(R"(
  mov.u32 %r1, 5; mov.u64 %d1, 6; mov.u32 %r2, 7; mov.u32 %r3, 8;
  @%p ld.global.u32 %r1, [%at]; @%p ld.global.u64 %d1, [%at+8]; @%p ld.global.u8 %r2, [%at+5];
  @%p ld.global.v2.u32 {%r4, %r3}, [%at+32];
  add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u64 %d1, %d1, 9;
  @%p st.global.u32 [%at+4], %r1; @%p st.global.u64 [%at+16], %d1; @%p st.global.v2.u32 [%at+24], {%r1, %r2};
)");
}

TEST_CASE("structures from the last to the first, too") {
  compare_strides(R"(
  @!%p bra end;
  ld.global.u32 %r1, [%down]; ld.global.u64 %d1, [%down+8]; ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%down+16];
  add.u32 %r1, %r1, %r3; xor.b32 %r2, %r2, %r5; add.u64 %d1, %d1, 1;
  st.global.v2.u64 [%down+32], {%d1, %d1}; st.global.v2.u32 [%down+8], {%r1, %r2};
end:
)");
}

TEST_CASE("lanes that part read vectors here and there") {
  compare_strides(R"(
  mul.lo.u32 %r1, %i, 37; and.b32 %r1, %r1, 63; mad.wide.u32 %down, %r1, 48, %out;
  mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u64 %d1, 0; mov.u64 %d2, 0; mov.u16 %h1, 1;
  mov.u16 %h2, 2; mov.u16 %h3, 3; mov.u16 %h4, 4; mov.u32 %r6, 0; mov.u32 %r7, 0;
  @!%p bra other;
  ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%down]; ld.global.v2.u64 {%d1, %d2}, [%down+16];
  ld.global.v2.u32 {%r6, %r7}, [%down+32]; ld.global.v4.u16 {%h1, %h2, %h3, %h4}, [%down+40];
  bra.uni join;
other:
  ld.global.u8 %r3, [%down+5]; ld.global.v2.u16 {%h1, %h4}, [%down+4]; ld.global.v4.u8 {%r4, %r5, %r6, %r7}, [%down+8];
join:
  bar.sync 0;
  xor.b32 %r2, %r2, %r3; xor.b32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; add.u32 %r2, %r2, %r6; xor.b32 %r2, %r2, %r7;
  cvt.u32.u16 %r3, %h1; cvt.u32.u16 %r4, %h2; mad.lo.u32 %r2, %r3, 3, %r2; mad.lo.u32 %r2, %r4, 5, %r2;
  cvt.u32.u16 %r3, %h3; cvt.u32.u16 %r4, %h4; mad.lo.u32 %r2, %r3, 7, %r2; mad.lo.u32 %r2, %r4, 9, %r2;
  xor.b64 %d1, %d1, %d2;
  st.global.u32 [%at], %r2; st.global.u64 [%at+8], %d1;
)");
}

TEST_CASE("vectors that are asked for in shared memory") {
  compare_strides(R"(
  mov.u32 %r1, tile; mad.lo.u32 %r2, %i, 48, %r1;
  mul.lo.u32 %r3, %i, 13; and.b32 %r3, %r3, 63; mad.lo.u32 %r3, %r3, 48, %r1;
  st.shared.v4.u32 [%r2], {%i, %r1, %r2, %r3}; st.shared.u64 [%r2+16], %at;
  bar.sync 0;
  mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u64 %d1, 0;
  @%p ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];
  ld.shared.u64 %d1, [%r3+16];
  ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r3];
  xor.b32 %r4, %r4, %r5; xor.b32 %r6, %r6, %r7; xor.b32 %r8, %r8, %r9; xor.b32 %r10, %r10, %r11;
  add.u32 %r4, %r4, %r6; add.u32 %r8, %r8, %r10;
  @%p st.global.v2.u32 [%at], {%r4, %r8};
)");
}
