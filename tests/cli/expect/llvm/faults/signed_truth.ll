; As a signed integer of one bit, true is -1: sitofp gives -1.0.
; XFAIL: *
; llc-19 converts 1 (selp.b32 1, 0; cvt.rn.f32.s32) instead of -1.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: i8 = 0 1 0 1
; wedjat: out s: f32[4]
; wedjat: out u: f32[4]
; wedjat: out d: f64[4]
; wedjat: out h: f16[4]
; host s f32
; host u f32
; host d f64
; host h f16
; wedjat: expect s[0..3]: f32 = 0x00000000 0xbf800000 0x00000000 0xbf800000
; wedjat: expect u[0..3]: f32 = 0x00000000 0x3f800000 0x00000000 0x3f800000
; wedjat: expect d[0..3]: f64 = 0x0000000000000000 0xbff0000000000000 0x0000000000000000 0xbff0000000000000
; wedjat: expect h[0..3]: f16 = 0x0000 0x3c00 0x0000 0x3c00

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %s.p, ptr %u.p, ptr %d.p, ptr %h.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i8, ptr %a.p, i64 %i
  %a = load i8, ptr %a.at
  %p = trunc i8 %a to i1
  %s = sitofp i1 %p to float
  %u = uitofp i1 %p to float
  %d = sitofp i1 %p to double
  %h = uitofp i1 %p to half
  %s.at = getelementptr float, ptr %s.p, i64 %i
  store float %s, ptr %s.at
  %u.at = getelementptr float, ptr %u.p, i64 %i
  store float %u, ptr %u.at
  %d.at = getelementptr double, ptr %d.p, i64 %i
  store double %d, ptr %d.at
  %h.at = getelementptr half, ptr %h.p, i64 %i
  store half %h, ptr %h.at
  ret void
}
