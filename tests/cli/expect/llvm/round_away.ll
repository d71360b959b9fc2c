; llvm.round rounds halves away from zero.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=11
; wedjat: in a: f32 = 0.5 -0.5 1.5 2.5 -2.5 0.49999997 8388607.5 4503599627370495.5 -0.0 1e30 8388609
; wedjat: in b: f64 = 0.5 -0.5 1.5 2.5 -2.5 0.49999999999999994 8388607.5 4503599627370495.5 -0.0 1e30 4503599627370497
; wedjat: out y: f32[11]
; wedjat: out z: f64[11]
; host y f32
; host z f64
; wedjat: expect y[0..7]: f32 = 0x3f800000 0xbf800000 0x40000000 0x40400000 0xc0400000 0x00000000 0x4b000000 0x59800000
; wedjat: expect y[8..10]: f32 = 0x80000000 0x7149f2ca 0x4b000001
; wedjat: expect z[0..7]: f64 = 0x3ff0000000000000 0xbff0000000000000 0x4000000000000000 0x4008000000000000 0xc008000000000000 0x0000000000000000 0x4160000000000000 0x4330000000000000
; wedjat: expect z[8..10]: f64 = 0x8000000000000000 0x46293e5939a08cea 0x4330000000000001

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.round.f32(float)
declare double @llvm.round.f64(double)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr double, ptr %b.p, i64 %i
  %b = load double, ptr %b.at
  %y = call float @llvm.round.f32(float %a)
  %z = call double @llvm.round.f64(double %b)
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  %z.at = getelementptr double, ptr %z.p, i64 %i
  store double %z, ptr %z.at
  ret void
}
