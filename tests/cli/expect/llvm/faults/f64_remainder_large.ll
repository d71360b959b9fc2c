; frem is fmod, also of quotients that f64 cannot hold.
; XFAIL: *
; llc-19 computes a - trunc(a / b) * b with a rounded quotient.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=3
; wedjat: in a: f64 = 1e20 1e300 123456789
; wedjat: in b: f64 = 3 7 1e-10
; wedjat: out y: f64[3]
; host y f64
; wedjat: expect y[0..2]: f64 = 0x3ff0000000000000 0x3ff0000000000000 0x3d83553cf0bbbbe0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %b.at = getelementptr double, ptr %b.p, i64 %i
  %b = load double, ptr %b.at
  %y = frem double %a, %b
  %y.at = getelementptr double, ptr %y.p, i64 %i
  store double %y, ptr %y.at
  ret void
}
