; Square roots round to nearest even.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: f32 = 2 3 4 0.1 1e-40 1e30 -0.0 inf
; wedjat: out y: f32[8]
; host y f32
; wedjat: expect y[0..7]: f32 = 0x3fb504f3 0x3fddb3d7 0x40000000 0x3ea1e89b 0x1e3ce4e7 0x58635fa9 0x80000000 0x7f800000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.sqrt.f32(float)

define ptx_kernel void @k(ptr %a.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %y = call float @llvm.sqrt.f32(float %a)
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  ret void
}
