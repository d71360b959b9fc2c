; Eight truth values in a byte, turned round.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=40
; wedjat: in a: i8[40] = range 0
; wedjat: out y: i8[40]
; host y i8
; wedjat: expect y[0..7]: i8 = 0 -128 64 -64 32 -96 96 -32
; wedjat: expect y[8..15]: i8 = 16 -112 80 -48 48 -80 112 -16
; wedjat: expect y[16..23]: i8 = 8 -120 72 -56 40 -88 104 -24
; wedjat: expect y[24..31]: i8 = 24 -104 88 -40 56 -72 120 -8
; wedjat: expect y[32..39]: i8 = 4 -124 68 -60 36 -92 100 -28

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i8, ptr %a.p, i64 %i
  %a = load i8, ptr %a.at
  %v = bitcast i8 %a to <8 x i1>
  %w = shufflevector <8 x i1> %v, <8 x i1> undef, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %y = bitcast <8 x i1> %w to i8
  %y.at = getelementptr i8, ptr %y.p, i64 %i
  store i8 %y, ptr %y.at
  ret void
}
