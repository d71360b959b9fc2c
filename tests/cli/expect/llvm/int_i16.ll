; Sixteen bits wrap around, and shift by less than their width.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=16
; wedjat: in a: i16[16] = random 1
; wedjat: in b: i16[16] = pattern 1 3 15 7
; wedjat: out product: i16[16]
; wedjat: out left: i16[16]
; wedjat: out right: i16[16]
; wedjat: out arithmetic: i16[16]
; host product i16
; host left i16
; host right i16
; host arithmetic i16
; wedjat: expect product[0..7]: i16 = 23745 -15051 130 32589 -19015 1920 -29269 -22989
; wedjat: expect product[8..15]: i16 = 15784 14018 -22865 -11278 24000 -6242 8920 1949
; wedjat: expect left[0..7]: i16 = -18046 25400 0 -31360 27506 5120 -32768 -17792
; wedjat: expect left[8..15]: i16 = 31568 15536 -32768 -256 -17536 5200 0 7552
; wedjat: expect right[0..7]: i16 = 11872 7564 0 402 23260 80 0 266
; wedjat: expect right[8..15]: i16 = 7892 3314 0 279 12000 5201 0 148
; wedjat: expect arithmetic[0..7]: i16 = 11872 -628 0 -110 -9508 80 0 -246
; wedjat: expect arithmetic[8..15]: i16 = 7892 3314 0 -233 12000 -2991 0 148

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %product.p, ptr %left.p, ptr %right.p, ptr %arithmetic.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i16, ptr %a.p, i64 %i
  %a = load i16, ptr %a.at
  %b.at = getelementptr i16, ptr %b.p, i64 %i
  %b = load i16, ptr %b.at
  %product = mul i16 %a, %b
  %left = shl i16 %a, %b
  %right = lshr i16 %a, %b
  %arithmetic = ashr i16 %a, %b
  %product.at = getelementptr i16, ptr %product.p, i64 %i
  store i16 %product, ptr %product.at
  %left.at = getelementptr i16, ptr %left.p, i64 %i
  store i16 %left, ptr %left.at
  %right.at = getelementptr i16, ptr %right.p, i64 %i
  store i16 %right, ptr %right.at
  %arithmetic.at = getelementptr i16, ptr %arithmetic.p, i64 %i
  store i16 %arithmetic, ptr %arithmetic.at
  ret void
}
