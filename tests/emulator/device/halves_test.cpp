// Arithmetic and conversions of f16, which native code does with the processor's own where it has them.
#include <doctest/doctest.h>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

// The numbers of a thread: two patterns that are mixed from its index, the index itself as two f16, which
// over all threads are all of them, and an f32 near one. All results of all forms go into the word of the
// thread.
constexpr const char* text = R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 salt, .param .u32 unused) {
  .reg .b64 %rd<4>; .reg .b32 %r<12>, %a, %b, %c, %d, %sum; .reg .b16 %h<4>, %e; .reg .f32 %f<4>; .reg .f64 %g;
  .reg .pred %p<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [salt];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  add.u32 %r6, %r5, %r1;
  mul.lo.u32 %b, %r6, 0x9e3779b1; shr.u32 %r7, %b, 15; xor.b32 %b, %b, %r7;
  mul.lo.u32 %c, %b, 0x85ebca77; shr.u32 %r7, %c, 13; xor.b32 %c, %c, %r7;
  shl.b32 %a, %r5, 16; or.b32 %a, %a, %r5;
  mov.b32 {%h1, %h2}, %a; mov.b32 {%h2, %h3}, %b; mov.b32 {%h3, %h0}, %c;
  cvt.f32.f16 %f1, %h1; mov.b32 %sum, %f1;
  and.b32 %r8, %b, 0x3fff; mov.b32 %r9, %f1; xor.b32 %r9, %r9, %r8; mov.b32 %f2, %r9;
  mov.b32 %f3, %b;
  add.rn.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  sub.rn.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  mul.rn.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.f16x2 %d, %a, %b, %c; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.f16x2 %d, %b, %c, %a; mad.lo.u32 %sum, %sum, 31, %d;
  add.rn.ftz.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  sub.rn.sat.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  mul.rn.ftz.sat.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.ftz.f16x2 %d, %a, %b, %c; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.ftz.sat.f16x2 %d, %a, %b, %c; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.relu.f16x2 %d, %a, %b, %c; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.oob.f16x2 %d, %a, %b, %c; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.bf16x2 %d, %a, %b, %c; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.relu.bf16x2 %d, %b, %c, %a; mad.lo.u32 %sum, %sum, 31, %d;
  min.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  max.NaN.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  neg.f16x2 %d, %a; mad.lo.u32 %sum, %sum, 31, %d;
  abs.f16x2 %d, %a; mad.lo.u32 %sum, %sum, 31, %d;
  tanh.approx.f16x2 %d, %a; mad.lo.u32 %sum, %sum, 31, %d;
  ex2.approx.f16x2 %d, %a; mad.lo.u32 %sum, %sum, 31, %d;
  set.lt.f16x2.f16x2 %d, %a, %b; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rn.f16x2.f32 %d, %f2, %f3; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rz.f16x2.f32 %d, %f2, %f3; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rn.relu.f16x2.f32 %d, %f2, %f3; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.f32.f16 %d, %h2; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rni.s32.f16 %d, %h1; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rzi.u32.f16 %d, %h2; mad.lo.u32 %sum, %sum, 31, %d;
  add.f16 %e, %h1, %h2; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  sub.ftz.f16 %e, %h1, %h2; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  mul.f16 %e, %h1, %h2; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.f16 %e, %h1, %h2, %h3; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.sat.f16 %e, %h2, %h3, %h1; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  fma.rn.bf16 %e, %h1, %h2, %h3; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rn.f16.f32 %e, %f2; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rn.f16.f32 %e, %f3; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rz.f16.f32 %e, %f2; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rn.sat.f16.f32 %e, %f2; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rn.bf16.f32 %e, %f2; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rni.f16.f16 %e, %h1; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rn.f16.s32 %e, %b; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.rn.f16.u32 %e, %c; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  tanh.approx.f16 %e, %h1; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  ex2.approx.f16 %e, %h1; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  cvt.f64.f16 %g, %h2; mov.b64 {%d, %r10}, %g; xor.b32 %d, %d, %r10; mad.lo.u32 %sum, %sum, 31, %d;
  add.f64 %g, %g, 0d3ddb7cdfd9d7bdbb; cvt.rn.f16.f64 %e, %g; cvt.u32.u16 %d, %e; mad.lo.u32 %sum, %sum, 31, %d;
  setp.lt.f16x2 %p1|%p2, %a, %b; selp.u32 %d, 1, 2, %p1; mad.lo.u32 %sum, %sum, 31, %d; selp.u32 %d, 1, 2, %p2; mad.lo.u32 %sum, %sum, 31, %d;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %sum;
  ret;
})";

}  // namespace

TEST_CASE("f16 in native code, by the processor's conversions and by executors") {
  for (const char* features : {"", "-avx512f", "-avx512f,-avx2,-avx,-fma,-f16c"}) {
    CAPTURE(features);
    const double share =
        test::compare_tiers({"halves.ptx", text, 65536},
                            {.arguments = {0x1234567, 0}, .blocks = 256, .threads = 256, .host_threads = 2},
                            {.features = features});
    CHECK(share > 0.99);
  }
}
