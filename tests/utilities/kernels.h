// Kernels small enough to count by hand.
#pragma once
#include <string>

namespace wedjat::test {

/// Each thread of a warp: index, predicate of even lanes, a guarded add, and a store of 4 bytes `stride`
/// apart.
inline std::string strided(int stride) {
  return R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .pred %p1;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  mul.wide.u32 %rd2, %r1, )" +
         std::to_string(stride) + R"(;
  add.s64 %rd3, %rd1, %rd2;
@%p1 add.s32 %r1, %r1, 100;
  st.global.u32 [%rd3], %r1;
  ret; })";
}

/// Lanes below 8 loop lane + 1 times, the others leave at once.
inline const char* const looping = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<5>; .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 8;
@%p1 bra DONE;
  mov.u32 %r2, 0;
LOOP:
  add.s32 %r2, %r2, 1;
  setp.le.u32 %p2, %r2, %r1;
@%p2 bra LOOP;
DONE:
  ret; })";

/// Every thread reads shared memory at tid * stride.
inline std::string banks(int stride, const char* type = "u32") {
  return std::string(R"(.visible .entry k(.param .u64 p) {
  .shared .align 16 .b8 s[16384]; .reg .b64 %rd<4>; .reg .b32 %r<9>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, s;
  mad.lo.u32 %r3, %r1, )") +
         std::to_string(stride) + R"(, %r2;
  st.shared.)" +
         type + (std::string(type) == "u32" ? " [%r3], %r1;" : " [%r3], {%r1, %r1, %r1, %r1};") + R"(
  ret; })";
}

// A box of 8 words by 4 rows at column 4, row 1 of a tensor of 10 words by 3 rows, 64 bytes apart: what lies
// outside is filled in.
inline constexpr const char* box_copy = R"(.visible .entry k(.param .u64 p) {
  .shared .align 128 .b8 s[128]; .shared .align 8 .b64 full;
  .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
@%p1 bra D;
  add.s64 %rd2, %rd1, 32768;
  st.global.u64 [%rd2], %rd1;
  st.global.u32 [%rd2+8], 0x110;
  st.global.u32 [%rd2+12], 4;
  st.global.u32 [%rd2+32], 9;
  st.global.u32 [%rd2+36], 2;
  st.global.u32 [%rd2+52], 0x07000000;
  st.global.u32 [%rd2+56], 3;
  mbarrier.init.shared.b64 [full], 1;
  fence.proxy.async;
  mbarrier.arrive.expect_tx.shared.b64 %rd3, [full], 128;
  mov.u32 %r2, 4;
  mov.u32 %r3, 1;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd2, {%r2, %r3}], [full];
W:
  mbarrier.try_wait.parity.shared.b64 %p2, [full], 0;
@!%p2 bra W;
D:
  ret; })";

// 16 rows of 16 halves, 24 halves apart.
inline constexpr const char* tile_load = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<2>; .reg .b32 %r<8>;
  ld.param.u64 %rd1, [p];
  wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%rd1], 24;
  ret; })";

// Even lanes read shared memory, odd ones their word of the buffer: by generic addresses.
inline constexpr const char* generic_mix = R"(.visible .entry k(.param .u64 p) {
  .shared .align 128 .b8 s[128];
  .reg .b64 %rd<8>; .reg .b32 %r<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 32;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r2, s;
  cvt.u64.u32 %rd4, %r2;
  cvta.shared.u64 %rd4, %rd4;
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p1, %r3, 0;
@%p1 mov.b64 %rd3, %rd4;
  ld.u32 %r3, [%rd3];
  ret; })";

}  // namespace wedjat::test
