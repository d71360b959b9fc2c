; Eight 16-bit elements, interleaved and reversed.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=2
; wedjat: in a: i16[16] = range 0
; wedjat: in b: i16[16] = range 1000
; wedjat: out y: i16[16]
; wedjat: out z: i16[16]
; host y i16
; host z i16
; wedjat: expect y[0..7]: i16 = 0 1000 1 1001 2 1002 3 1003
; wedjat: expect y[8..15]: i16 = 8 1008 9 1009 10 1010 11 1011
; wedjat: expect z[0..7]: i16 = 1007 1006 1005 1004 7 6 5 4
; wedjat: expect z[8..15]: i16 = 1015 1014 1013 1012 15 14 13 12

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a, ptr %b, ptr %y, ptr %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr <8 x i16>, ptr %a, i64 %i
  %b.at = getelementptr <8 x i16>, ptr %b, i64 %i
  %y.at = getelementptr <8 x i16>, ptr %y, i64 %i
  %z.at = getelementptr <8 x i16>, ptr %z, i64 %i
  %v = load <8 x i16>, ptr %a.at
  %w = load <8 x i16>, ptr %b.at
  %s = shufflevector <8 x i16> %v, <8 x i16> %w, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  %r = shufflevector <8 x i16> %v, <8 x i16> %w, <8 x i32> <i32 15, i32 14, i32 13, i32 12, i32 7, i32 6, i32 5, i32 4>
  store <8 x i16> %s, ptr %y.at
  store <8 x i16> %r, ptr %z.at
  ret void
}
