; Square roots round to nearest even.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: f64 = 2 3 4 0.1 1e-40 1e30 -0.0 inf
; wedjat: out y: f64[8]
; host y f64
; wedjat: expect y[0..7]: f64 = 0x3ff6a09e667f3bcd 0x3ffbb67ae8584caa 0x4000000000000000 0x3fd43d136248490f 0x3bc79ca10c924223 0x430c6bf526340000 0x8000000000000000 0x7ff0000000000000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.sqrt.f64(double)

define ptx_kernel void @k(ptr %a.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %y = call double @llvm.sqrt.f64(double %a)
  %y.at = getelementptr double, ptr %y.p, i64 %i
  store double %y, ptr %y.at
  ret void
}
