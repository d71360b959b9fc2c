; Counts of bits and of zeros, and bits in reverse, of 16 bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i16 = 0 1 -1 256 -32768 12345
; wedjat: out ones: i16[6]
; wedjat: out leading: i16[6]
; wedjat: out trailing: i16[6]
; wedjat: out reverse: i16[6]
; host ones i16
; host leading i16
; host trailing i16
; host reverse i16
; wedjat: expect ones[0..5]: i16 = 0 1 16 1 1 6
; wedjat: expect leading[0..5]: i16 = 16 15 0 7 0 2
; wedjat: expect trailing[0..5]: i16 = 16 0 0 8 15 0
; wedjat: expect reverse[0..5]: i16 = 0 -32768 -1 128 1 -25588

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i16 @llvm.ctpop.i16(i16)
declare i16 @llvm.ctlz.i16(i16, i1)
declare i16 @llvm.cttz.i16(i16, i1)
declare i16 @llvm.bitreverse.i16(i16)

define ptx_kernel void @k(ptr %a.p, ptr %ones.p, ptr %leading.p, ptr %trailing.p, ptr %reverse.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i16, ptr %a.p, i64 %i
  %a = load i16, ptr %a.at
  %ones = call i16 @llvm.ctpop.i16(i16 %a)
  %leading = call i16 @llvm.ctlz.i16(i16 %a, i1 false)
  %trailing = call i16 @llvm.cttz.i16(i16 %a, i1 false)
  %reverse = call i16 @llvm.bitreverse.i16(i16 %a)
  %ones.at = getelementptr i16, ptr %ones.p, i64 %i
  store i16 %ones, ptr %ones.at
  %leading.at = getelementptr i16, ptr %leading.p, i64 %i
  store i16 %leading, ptr %leading.at
  %trailing.at = getelementptr i16, ptr %trailing.p, i64 %i
  store i16 %trailing, ptr %trailing.at
  %reverse.at = getelementptr i16, ptr %reverse.p, i64 %i
  store i16 %reverse, ptr %reverse.at
  ret void
}
