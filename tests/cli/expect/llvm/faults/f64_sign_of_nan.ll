; fneg, llvm.fabs and llvm.copysign only touch the sign, also of a NaN.
; XFAIL: *
; llc-19 makes neg.f64, abs.f64 and copysign.f64, which leave the sign of a NaN open.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=2
; wedjat: in a: f64 = 0x7ff8000000001234 0xfff8000000000001
; wedjat: out n: f64[2]
; wedjat: out m: f64[2]
; wedjat: out c: f64[2]
; host n f64
; host m f64
; host c f64
; wedjat: expect n[0..1]: f64 = 0xfff8000000001234 0x7ff8000000000001
; wedjat: expect m[0..1]: f64 = 0x7ff8000000001234 0x7ff8000000000001
; wedjat: expect c[0..1]: f64 = 0xfff8000000001234 0xfff8000000000001

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.fabs.f64(double)
declare double @llvm.copysign.f64(double, double)

define ptx_kernel void @k(ptr %a.p, ptr %n.p, ptr %m.p, ptr %c.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %n = fneg double %a
  %m = call double @llvm.fabs.f64(double %a)
  %c = call double @llvm.copysign.f64(double %a, double -1.0)
  %n.at = getelementptr double, ptr %n.p, i64 %i
  store double %n, ptr %n.at
  %m.at = getelementptr double, ptr %m.p, i64 %i
  store double %m, ptr %m.at
  %c.at = getelementptr double, ptr %c.p, i64 %i
  store double %c, ptr %c.at
  ret void
}
