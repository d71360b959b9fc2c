; Counts of bits and of zeros, and bits in reverse, of 64 bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i64 = 0 1 -1 4294967296 -9223372036854775808 1234567890123
; wedjat: out ones: i64[6]
; wedjat: out leading: i64[6]
; wedjat: out trailing: i64[6]
; wedjat: out reverse: i64[6]
; host ones i64
; host leading i64
; host trailing i64
; host reverse i64
; wedjat: expect ones[0..5]: i64 = 0 1 64 1 1 23
; wedjat: expect leading[0..5]: i64 = 64 63 0 31 0 23
; wedjat: expect trailing[0..5]: i64 = 64 0 0 32 63 0
; wedjat: expect reverse[0..5]: i64 = 0 -9223372036854775808 -1 2147483648 1 -3233338727304527872

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.bitreverse.i64(i64)

define ptx_kernel void @k(ptr %a.p, ptr %ones.p, ptr %leading.p, ptr %trailing.p, ptr %reverse.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i64, ptr %a.p, i64 %i
  %a = load i64, ptr %a.at
  %ones = call i64 @llvm.ctpop.i64(i64 %a)
  %leading = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  %trailing = call i64 @llvm.cttz.i64(i64 %a, i1 false)
  %reverse = call i64 @llvm.bitreverse.i64(i64 %a)
  %ones.at = getelementptr i64, ptr %ones.p, i64 %i
  store i64 %ones, ptr %ones.at
  %leading.at = getelementptr i64, ptr %leading.p, i64 %i
  store i64 %leading, ptr %leading.at
  %trailing.at = getelementptr i64, ptr %trailing.p, i64 %i
  store i64 %trailing, ptr %trailing.at
  %reverse.at = getelementptr i64, ptr %reverse.p, i64 %i
  store i64 %reverse, ptr %reverse.at
  ret void
}
