; llvm.fma rounds once.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=5
; wedjat: in a: f32 = 1.0000001 3.3333333 0.1 123456.79 1e20
; wedjat: in b: f32 = 1.0000001 0.3 10 0.001 -1e20
; wedjat: in c: f32 = -1.0000002 -1 -1 -123.45679 1e30
; wedjat: out y: f32[5]
; host y f32
; wedjat: expect y[0..4]: f32 = 0x28800000 0x32888888 0x32800000 0x370325cb 0xff800000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fma.f32(float, float, float)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %c.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr float, ptr %b.p, i64 %i
  %b = load float, ptr %b.at
  %c.at = getelementptr float, ptr %c.p, i64 %i
  %c = load float, ptr %c.at
  %y = call float @llvm.fma.f32(float %a, float %b, float %c)
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  ret void
}
