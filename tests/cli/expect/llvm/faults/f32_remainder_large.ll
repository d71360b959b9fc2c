; frem is fmod, also of quotients that f32 cannot hold.
; XFAIL: *
; llc-19 computes a - trunc(a / b) * b with a rounded quotient.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: f32 = 1e10 1e30 123456789 16777217
; wedjat: in b: f32 = 3 7 0.1 0.3
; wedjat: out y: f32[4]
; host y f32
; wedjat: expect y[0..3]: f32 = 0x3f800000 0x3f800000 0x3d77320e 0x3d088890

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr float, ptr %b.p, i64 %i
  %b = load float, ptr %b.at
  %y = frem float %a, %b
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  ret void
}
