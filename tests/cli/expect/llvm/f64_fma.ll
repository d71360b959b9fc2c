; llvm.fma rounds once.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=5
; wedjat: in a: f64 = 1.0000001 3.3333333 0.1 123456.79 1e20
; wedjat: in b: f64 = 1.0000001 0.3 10 0.001 -1e20
; wedjat: in c: f64 = -1.0000002 -1 -1 -123.45679 1e30
; wedjat: out y: f64[5]
; host y f64
; wedjat: expect y[0..4]: f64 = 0x3d07049b87121b4f 0xbe45798ee2eeeeef 0x3c90000000000000 0xbce0c9b0a91537a0 0xc83d6329f1b6bd78

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.fma.f64(double, double, double)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %c.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %b.at = getelementptr double, ptr %b.p, i64 %i
  %b = load double, ptr %b.at
  %c.at = getelementptr double, ptr %c.p, i64 %i
  %c = load double, ptr %c.at
  %y = call double @llvm.fma.f64(double %a, double %b, double %c)
  %y.at = getelementptr double, ptr %y.p, i64 %i
  store double %y, ptr %y.at
  ret void
}
