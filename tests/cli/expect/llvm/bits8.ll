; Counts of bits, funnel shifts and magnitudes of bytes.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i8 = 0 1 -1 64 -128 3
; wedjat: out ones: i8[6]
; wedjat: out leading: i8[6]
; wedjat: out trailing: i8[6]
; wedjat: out reverse: i8[6]
; wedjat: out l: i8[6]
; wedjat: out r: i8[6]
; wedjat: out ab: i8[6]
; host ones i8
; host leading i8
; host trailing i8
; host reverse i8
; host l i8
; host r i8
; host ab i8
; wedjat: expect ones[0..5]: i8 = 0 1 8 1 1 2
; wedjat: expect leading[0..5]: i8 = 8 7 0 1 0 6
; wedjat: expect trailing[0..5]: i8 = 8 0 0 6 7 0
; wedjat: expect reverse[0..5]: i8 = 0 -128 -1 2 1 -64
; wedjat: expect l[0..5]: i8 = 0 48 -1 0 0 120
; wedjat: expect r[0..5]: i8 = 0 12 -1 0 0 30
; wedjat: expect ab[0..5]: i8 = 0 1 1 64 -128 3

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i8 @llvm.ctpop.i8(i8)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i8 @llvm.cttz.i8(i8, i1)
declare i8 @llvm.bitreverse.i8(i8)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i8 @llvm.abs.i8(i8, i1)

define ptx_kernel void @k(ptr %a.p, ptr %ones.p, ptr %leading.p, ptr %trailing.p, ptr %reverse.p, ptr %l.p, ptr %r.p, ptr %ab.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i8, ptr %a.p, i64 %i
  %a = load i8, ptr %a.at
  %ones = call i8 @llvm.ctpop.i8(i8 %a)
  %leading = call i8 @llvm.ctlz.i8(i8 %a, i1 false)
  %trailing = call i8 @llvm.cttz.i8(i8 %a, i1 false)
  %reverse = call i8 @llvm.bitreverse.i8(i8 %a)
  %l = call i8 @llvm.fshl.i8(i8 %a, i8 %reverse, i8 37)
  %r = call i8 @llvm.fshr.i8(i8 %a, i8 %reverse, i8 13)
  %ab = call i8 @llvm.abs.i8(i8 %a, i1 false)
  %ones.at = getelementptr i8, ptr %ones.p, i64 %i
  store i8 %ones, ptr %ones.at
  %leading.at = getelementptr i8, ptr %leading.p, i64 %i
  store i8 %leading, ptr %leading.at
  %trailing.at = getelementptr i8, ptr %trailing.p, i64 %i
  store i8 %trailing, ptr %trailing.at
  %reverse.at = getelementptr i8, ptr %reverse.p, i64 %i
  store i8 %reverse, ptr %reverse.at
  %l.at = getelementptr i8, ptr %l.p, i64 %i
  store i8 %l, ptr %l.at
  %r.at = getelementptr i8, ptr %r.p, i64 %i
  store i8 %r, ptr %r.at
  %ab.at = getelementptr i8, ptr %ab.p, i64 %i
  store i8 %ab, ptr %ab.at
  ret void
}
