; Approximate reciprocals: 1/3 and 1/7 as f32, and powers of two, within the error that the PTX manual allows.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: f32 = 3 7 2 -4
; wedjat: out y: f32[4]
; wedjat: expect y: f32 = 0.33333334 0.14285715 0.5 -0.25 within 1 ulp

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.rcp.approx.ftz.f(float)

define ptx_kernel void @k(ptr %a, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %a.at
  %r = call float @llvm.nvvm.rcp.approx.ftz.f(float %v)
  %y.at = getelementptr float, ptr %y, i64 %i
  store float %r, ptr %y.at
  ret void
}
