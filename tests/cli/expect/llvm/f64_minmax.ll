; llvm.minnum and llvm.maxnum give the number where the other operand is a quiet NaN.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: f64 = 1 2 -1 0x7ff8000000000000 3 inf -inf 5
; wedjat: in b: f64 = 2 1 -2 1 0x7ff8000000000000 1 1 5
; wedjat: out lo: f64[8]
; wedjat: out hi: f64[8]
; host lo f64
; host hi f64
; wedjat: expect lo[0..7]: f64 = 0x3ff0000000000000 0x3ff0000000000000 0xc000000000000000 0x3ff0000000000000 0x4008000000000000 0x3ff0000000000000 0xfff0000000000000 0x4014000000000000
; wedjat: expect hi[0..7]: f64 = 0x4000000000000000 0x4000000000000000 0xbff0000000000000 0x3ff0000000000000 0x4008000000000000 0x7ff0000000000000 0x3ff0000000000000 0x4014000000000000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maxnum.f64(double, double)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %lo.p, ptr %hi.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %b.at = getelementptr double, ptr %b.p, i64 %i
  %b = load double, ptr %b.at
  %lo = call double @llvm.minnum.f64(double %a, double %b)
  %hi = call double @llvm.maxnum.f64(double %a, double %b)
  %lo.at = getelementptr double, ptr %lo.p, i64 %i
  store double %lo, ptr %lo.at
  %hi.at = getelementptr double, ptr %hi.p, i64 %i
  store double %hi, ptr %hi.at
  ret void
}
