; Halves become integers that saturate; a NaN becomes 0.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: f16 = 300 -300 65504 0x7e00 -0.5 inf
; wedjat: out y: i8[6]
; wedjat: out z: i32[6]
; wedjat: out w: i64[6]
; host y i8
; host z i32
; host w i64
; wedjat: expect y[0..5]: i8 = 127 -128 127 0 0 127
; wedjat: expect z[0..5]: i32 = 300 0 65504 0 0 -1
; wedjat: expect w[0..5]: i64 = 300 -300 65504 0 0 9223372036854775807

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i8 @llvm.fptosi.sat.i8.f16(half)
declare i32 @llvm.fptoui.sat.i32.f16(half)
declare i64 @llvm.fptosi.sat.i64.f16(half)

define ptx_kernel void @k(ptr %a.p, ptr %y.p, ptr %z.p, ptr %w.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr half, ptr %a.p, i64 %i
  %a = load half, ptr %a.at
  %y = call i8 @llvm.fptosi.sat.i8.f16(half %a)
  %z = call i32 @llvm.fptoui.sat.i32.f16(half %a)
  %w = call i64 @llvm.fptosi.sat.i64.f16(half %a)
  %y.at = getelementptr i8, ptr %y.p, i64 %i
  store i8 %y, ptr %y.at
  %z.at = getelementptr i32, ptr %z.p, i64 %i
  store i32 %z, ptr %z.at
  %w.at = getelementptr i64, ptr %w.p, i64 %i
  store i64 %w, ptr %w.at
  ret void
}
