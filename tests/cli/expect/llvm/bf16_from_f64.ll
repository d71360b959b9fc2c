; f64 becomes bfloat16 with one rounding: just above and just below the middle, and a subnormal.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: f64 = 1.00390625 1.0039062500001 1.01171875 1.0117187499999 3.0e38 1e-40
; wedjat: out y: bf16[6]
; wedjat: expect y: bf16 = 0x3f80 0x3f81 0x3f82 0x3f81 0x7f62 0x0001
; By hand: the host has no such conversion.

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %y = fptrunc double %a to bfloat
  %y.at = getelementptr bfloat, ptr %y.p, i64 %i
  store bfloat %y, ptr %y.at
  ret void
}
