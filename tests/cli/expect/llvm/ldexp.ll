; Products with powers of two, also where they become subnormal.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: f32 = 1 1.5 3 0.75
; wedjat: in n: i32 = 10 -149 -151 200
; wedjat: out y: f32[4]
; host y f32
; wedjat: expect y[0..3]: f32 = 0x44800000 0x00000002 0x00000001 0x7f800000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.ldexp.f32.i32(float, i32)

define ptx_kernel void @k(ptr %a.p, ptr %n.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %n.at = getelementptr i32, ptr %n.p, i64 %i
  %n = load i32, ptr %n.at
  %y = call float @llvm.ldexp.f32.i32(float %a, i32 %n)
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  ret void
}
