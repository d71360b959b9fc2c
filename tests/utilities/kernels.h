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

}  // namespace wedjat::test
