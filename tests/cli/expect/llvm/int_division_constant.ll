; Divisions by constants, which llc turns into products and shifts.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=12
; wedjat: in a: i32 = 0 1 -1 6 7 -7 99 -100 2147483647 -2147483648 123456789 -987654321
; wedjat: out seven: i32[12]
; wedjat: out ten: i32[12]
; wedjat: out eight: i32[12]
; wedjat: out minus: i32[12]
; host seven i32
; host ten i32
; host eight i32
; host minus i32
; wedjat: expect seven[0..7]: i32 = 0 0 0 0 1 -1 14 -14
; wedjat: expect seven[8..11]: i32 = 306783378 -306783378 17636684 -141093474
; wedjat: expect ten[0..7]: i32 = 0 1 5 6 7 9 9 6
; wedjat: expect ten[8..11]: i32 = 7 8 9 5
; wedjat: expect eight[0..7]: i32 = 0 0 0 0 0 0 12 -12
; wedjat: expect eight[8..11]: i32 = 268435455 -268435456 15432098 -123456790
; wedjat: expect minus[0..7]: i32 = 0 1 -1 0 1 -1 0 -1
; wedjat: expect minus[8..11]: i32 = 1 -2 0 0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %seven.p, ptr %ten.p, ptr %eight.p, ptr %minus.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %seven = sdiv i32 %a, 7
  %ten = urem i32 %a, 10
  %eight = sdiv i32 %a, 8
  %minus = srem i32 %a, -3
  %seven.at = getelementptr i32, ptr %seven.p, i64 %i
  store i32 %seven, ptr %seven.at
  %ten.at = getelementptr i32, ptr %ten.p, i64 %i
  store i32 %ten, ptr %ten.at
  %eight.at = getelementptr i32, ptr %eight.p, i64 %i
  store i32 %eight, ptr %eight.at
  %minus.at = getelementptr i32, ptr %minus.p, i64 %i
  store i32 %minus, ptr %minus.at
  ret void
}
