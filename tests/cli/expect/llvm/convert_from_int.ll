; Integers become floats, rounded to nearest even.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i32 = 0 1 -1 16777217 16777219 2147483647 -2147483648 123456789
; wedjat: in b: i64 = 0 1 -1 9007199254740993 -9007199254740993 9223372036854775807 -9223372036854775808 16777217
; wedjat: out s: f32[8]
; wedjat: out u: f32[8]
; wedjat: out d: f64[8]
; wedjat: out e: f64[8]
; wedjat: out f: f32[8]
; host s f32
; host u f32
; host d f64
; host e f64
; host f f32
; wedjat: expect s[0..7]: f32 = 0x00000000 0x3f800000 0xbf800000 0x4b800000 0x4b800002 0x4f000000 0xcf000000 0x4ceb79a3
; wedjat: expect u[0..7]: f32 = 0x00000000 0x3f800000 0x4f800000 0x4b800000 0x4b800002 0x4f000000 0x4f000000 0x4ceb79a3
; wedjat: expect d[0..7]: f64 = 0x0000000000000000 0x3ff0000000000000 0xbff0000000000000 0x4340000000000000 0xc340000000000000 0x43e0000000000000 0xc3e0000000000000 0x4170000010000000
; wedjat: expect e[0..7]: f64 = 0x0000000000000000 0x3ff0000000000000 0x43f0000000000000 0x4340000000000000 0x43effc0000000000 0x43e0000000000000 0x43e0000000000000 0x4170000010000000
; wedjat: expect f[0..7]: f32 = 0x00000000 0x3f800000 0xbf800000 0x5a000000 0xda000000 0x5f000000 0xdf000000 0x4b800000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %s.p, ptr %u.p, ptr %d.p, ptr %e.p, ptr %f.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i64, ptr %b.p, i64 %i
  %b = load i64, ptr %b.at
  %s = sitofp i32 %a to float
  %u = uitofp i32 %a to float
  %d = sitofp i64 %b to double
  %e = uitofp i64 %b to double
  %f = sitofp i64 %b to float
  %s.at = getelementptr float, ptr %s.p, i64 %i
  store float %s, ptr %s.at
  %u.at = getelementptr float, ptr %u.p, i64 %i
  store float %u, ptr %u.at
  %d.at = getelementptr double, ptr %d.p, i64 %i
  store double %d, ptr %d.at
  %e.at = getelementptr double, ptr %e.p, i64 %i
  store double %e, ptr %e.at
  %f.at = getelementptr float, ptr %f.p, i64 %i
  store float %f, ptr %f.at
  ret void
}
