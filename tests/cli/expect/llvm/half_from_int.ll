; Integers become halves, rounded once.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=7
; wedjat: in a: i32 = 2049 2051 65519 65520 100000 -5 16777217
; wedjat: in b: i64 = 2049 2051 65519 65520 4611686018427387904 -5 3
; wedjat: out y: f16[7]
; wedjat: out z: f16[7]
; wedjat: out w: f16[7]
; host y f16
; host z f16
; host w f16
; wedjat: expect y[0..6]: f16 = 0x6800 0x6802 0x7bff 0x7c00 0x7c00 0xc500 0x7c00
; wedjat: expect z[0..6]: f16 = 0x6800 0x6802 0x7bff 0x7c00 0x7c00 0xc500 0x4200
; wedjat: expect w[0..6]: f16 = 0x6800 0x6802 0x7bff 0x7c00 0x7c00 0x7c00 0x7c00

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p, ptr %w.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i64, ptr %b.p, i64 %i
  %b = load i64, ptr %b.at
  %y = sitofp i32 %a to half
  %z = sitofp i64 %b to half
  %w = uitofp i32 %a to half
  %y.at = getelementptr half, ptr %y.p, i64 %i
  store half %y, ptr %y.at
  %z.at = getelementptr half, ptr %z.p, i64 %i
  store half %z, ptr %z.at
  %w.at = getelementptr half, ptr %w.p, i64 %i
  store half %w, ptr %w.at
  ret void
}
