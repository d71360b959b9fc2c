; Signs: negation, magnitude, that of another number; NaNs keep their bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: f64 = 1.5 -1.5 0.0 -0.0 inf -inf
; wedjat: in b: f64 = -1 1 -0.0 0.0 -inf -1
; wedjat: out n: f64[6]
; wedjat: out m: f64[6]
; wedjat: out c: f64[6]
; host n f64
; host m f64
; host c f64
; wedjat: expect n[0..5]: f64 = 0xbff8000000000000 0x3ff8000000000000 0x8000000000000000 0x0000000000000000 0xfff0000000000000 0x7ff0000000000000
; wedjat: expect m[0..5]: f64 = 0x3ff8000000000000 0x3ff8000000000000 0x0000000000000000 0x0000000000000000 0x7ff0000000000000 0x7ff0000000000000
; wedjat: expect c[0..5]: f64 = 0xbff8000000000000 0x3ff8000000000000 0x8000000000000000 0x0000000000000000 0xfff0000000000000 0xfff0000000000000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.fabs.f64(double)
declare double @llvm.copysign.f64(double, double)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %n.p, ptr %m.p, ptr %c.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %b.at = getelementptr double, ptr %b.p, i64 %i
  %b = load double, ptr %b.at
  %n = fneg double %a
  %m = call double @llvm.fabs.f64(double %a)
  %c = call double @llvm.copysign.f64(double %a, double %b)
  %n.at = getelementptr double, ptr %n.p, i64 %i
  store double %n, ptr %n.at
  %m.at = getelementptr double, ptr %m.p, i64 %i
  store double %m, ptr %m.at
  %c.at = getelementptr double, ptr %c.p, i64 %i
  store double %c, ptr %c.at
  ret void
}
