; fneg, llvm.fabs and llvm.copysign only touch the sign, also of a NaN.
; XFAIL: *
; llc-19 makes neg.f32, abs.f32 and copysign.f32, whose result is the canonical NaN.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=2
; wedjat: in a: f32 = 0x7fc01234 0xffc00001
; wedjat: out n: f32[2]
; wedjat: out m: f32[2]
; wedjat: out c: f32[2]
; host n f32
; host m f32
; host c f32
; wedjat: expect n[0..1]: f32 = 0xffc01234 0x7fc00001
; wedjat: expect m[0..1]: f32 = 0x7fc01234 0x7fc00001
; wedjat: expect c[0..1]: f32 = 0xffc01234 0xffc00001

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fabs.f32(float)
declare float @llvm.copysign.f32(float, float)

define ptx_kernel void @k(ptr %a.p, ptr %n.p, ptr %m.p, ptr %c.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %n = fneg float %a
  %m = call float @llvm.fabs.f32(float %a)
  %c = call float @llvm.copysign.f32(float %a, float -1.0)
  %n.at = getelementptr float, ptr %n.p, i64 %i
  store float %n, ptr %n.at
  %m.at = getelementptr float, ptr %m.p, i64 %i
  store float %m, ptr %m.at
  %c.at = getelementptr float, ptr %c.p, i64 %i
  store float %c, ptr %c.at
  ret void
}
