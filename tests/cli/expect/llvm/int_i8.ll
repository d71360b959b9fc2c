; Bytes wrap around.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=17
; wedjat: in a: i8[17] = range -120 step 15
; wedjat: in b: i8[17] = pattern 100 -100 7 127 -128
; wedjat: out sum: i8[17]
; wedjat: out difference: i8[17]
; wedjat: out product: i8[17]
; host sum i8
; host difference i8
; host product i8
; wedjat: expect sum[0..7]: i8 = -20 51 -83 52 68 55 126 -8
; wedjat: expect sum[8..15]: i8 = 127 -113 -126 -55 67 -54 -38 -51
; wedjat: expect sum[16..16]: i8 = 20
; wedjat: expect difference[0..7]: i8 = 36 -5 -97 54 68 111 70 -22
; wedjat: expect difference[8..15]: i8 = -127 -113 -70 -111 53 -52 -38 5
; wedjat: expect difference[16..16]: i8 = -36
; wedjat: expect product[0..7]: i8 = 32 4 -118 -53 0 108 -72 -105
; wedjat: expect product[8..15]: i8 = 0 -128 -72 108 -92 53 0 4
; wedjat: expect product[16..16]: i8 = 32

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sum.p, ptr %difference.p, ptr %product.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i8, ptr %a.p, i64 %i
  %a = load i8, ptr %a.at
  %b.at = getelementptr i8, ptr %b.p, i64 %i
  %b = load i8, ptr %b.at
  %sum = add i8 %a, %b
  %difference = sub i8 %a, %b
  %product = mul i8 %a, %b
  %sum.at = getelementptr i8, ptr %sum.p, i64 %i
  store i8 %sum, ptr %sum.at
  %difference.at = getelementptr i8, ptr %difference.p, i64 %i
  store i8 %difference, ptr %difference.at
  %product.at = getelementptr i8, ptr %product.p, i64 %i
  store i8 %product, ptr %product.at
  ret void
}
