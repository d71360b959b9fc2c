; Conversions of halves; from f64 they round once.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in h: f16 = 1 -2.5 65504 6e-8 inf -0.0
; wedjat: in d: f64 = 1.0004882812500002 65519.999 65520 2.9802322387695315e-08 1e-10 -1.1
; wedjat: in f: f32 = 1.00048828125 0.1 70000 1e-8 -65519 3.14159
; wedjat: out x: f32[6]
; wedjat: out y: f16[6]
; wedjat: out z: f16[6]
; wedjat: out w: i32[6]
; host x f32
; host y f16
; host z f16
; host w i32
; wedjat: expect x[0..5]: f32 = 0x3f800000 0xc0200000 0x477fe000 0x33800000 0x7f800000 0x80000000
; wedjat: expect y[0..5]: f16 = 0x3c01 0x7bff 0x7c00 0x0000 0x0000 0xbc66
; wedjat: expect z[0..5]: f16 = 0x3c00 0x2e66 0x7c00 0x0000 0xfbff 0x4248
; wedjat: expect w[0..5]: i32 = 1 -2 65504 0 0 0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare half @llvm.fabs.f16(half)

define ptx_kernel void @k(ptr %h.p, ptr %d.p, ptr %f.p, ptr %x.p, ptr %y.p, ptr %z.p, ptr %w.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %h.at = getelementptr half, ptr %h.p, i64 %i
  %h = load half, ptr %h.at
  %d.at = getelementptr double, ptr %d.p, i64 %i
  %d = load double, ptr %d.at
  %f.at = getelementptr float, ptr %f.p, i64 %i
  %f = load float, ptr %f.at
  %x = fpext half %h to float
  %y = fptrunc double %d to half
  %z = fptrunc float %f to half
  %k.a = call half @llvm.fabs.f16(half %h)
  %finite = fcmp olt half %k.a, 0xH7C00
  %k.b = select i1 %finite, half %h, half 0xH0000
  %w = fptosi half %k.b to i32
  %x.at = getelementptr float, ptr %x.p, i64 %i
  store float %x, ptr %x.at
  %y.at = getelementptr half, ptr %y.p, i64 %i
  store half %y, ptr %y.at
  %z.at = getelementptr half, ptr %z.p, i64 %i
  store half %z, ptr %z.at
  %w.at = getelementptr i32, ptr %w.p, i64 %i
  store i32 %w, ptr %w.at
  ret void
}
