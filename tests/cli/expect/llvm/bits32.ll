; Counts of bits and of zeros, and bits in reverse, of 32 bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i32 = 0 1 -1 65536 -2147483648 123456789
; wedjat: out ones: i32[6]
; wedjat: out leading: i32[6]
; wedjat: out trailing: i32[6]
; wedjat: out reverse: i32[6]
; host ones i32
; host leading i32
; host trailing i32
; host reverse i32
; wedjat: expect ones[0..5]: i32 = 0 1 32 1 1 16
; wedjat: expect leading[0..5]: i32 = 32 31 0 15 0 5
; wedjat: expect trailing[0..5]: i32 = 32 0 0 16 31 0
; wedjat: expect reverse[0..5]: i32 = 0 -2147483648 -1 32768 1 -1464608032

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.bitreverse.i32(i32)

define ptx_kernel void @k(ptr %a.p, ptr %ones.p, ptr %leading.p, ptr %trailing.p, ptr %reverse.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %ones = call i32 @llvm.ctpop.i32(i32 %a)
  %leading = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %trailing = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  %reverse = call i32 @llvm.bitreverse.i32(i32 %a)
  %ones.at = getelementptr i32, ptr %ones.p, i64 %i
  store i32 %ones, ptr %ones.at
  %leading.at = getelementptr i32, ptr %leading.p, i64 %i
  store i32 %leading, ptr %leading.at
  %trailing.at = getelementptr i32, ptr %trailing.p, i64 %i
  store i32 %trailing, ptr %trailing.at
  %reverse.at = getelementptr i32, ptr %reverse.p, i64 %i
  store i32 %reverse, ptr %reverse.at
  ret void
}
