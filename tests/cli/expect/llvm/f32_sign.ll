; Signs: negation, magnitude, that of another number; NaNs keep their bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: f32 = 1.5 -1.5 0.0 -0.0 inf -inf
; wedjat: in b: f32 = -1 1 -0.0 0.0 -inf -1
; wedjat: out n: f32[6]
; wedjat: out m: f32[6]
; wedjat: out c: f32[6]
; host n f32
; host m f32
; host c f32
; wedjat: expect n[0..5]: f32 = 0xbfc00000 0x3fc00000 0x80000000 0x00000000 0xff800000 0x7f800000
; wedjat: expect m[0..5]: f32 = 0x3fc00000 0x3fc00000 0x00000000 0x00000000 0x7f800000 0x7f800000
; wedjat: expect c[0..5]: f32 = 0xbfc00000 0x3fc00000 0x80000000 0x00000000 0xff800000 0xff800000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fabs.f32(float)
declare float @llvm.copysign.f32(float, float)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %n.p, ptr %m.p, ptr %c.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr float, ptr %b.p, i64 %i
  %b = load float, ptr %b.at
  %n = fneg float %a
  %m = call float @llvm.fabs.f32(float %a)
  %c = call float @llvm.copysign.f32(float %a, float %b)
  %n.at = getelementptr float, ptr %n.p, i64 %i
  store float %n, ptr %n.at
  %m.at = getelementptr float, ptr %m.p, i64 %i
  store float %m, ptr %m.at
  %c.at = getelementptr float, ptr %c.p, i64 %i
  store float %c, ptr %c.at
  ret void
}
