; The same of 128 bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: b128 = 0 1 -1 64 -128 3
; wedjat: out ones: b128[6]
; wedjat: out leading: b128[6]
; wedjat: out trailing: b128[6]
; wedjat: out reverse: b128[6]
; wedjat: out l: b128[6]
; wedjat: out r: b128[6]
; wedjat: out ab: b128[6]
; host ones b128
; host leading b128
; host trailing b128
; host reverse b128
; host l b128
; host r b128
; host ab b128
; wedjat: expect ones[0..5]: b128 = 0x00000000000000000000000000000000 0x00000000000000000000000000000001 0x00000000000000000000000000000080 0x00000000000000000000000000000001 0x00000000000000000000000000000079 0x00000000000000000000000000000002
; wedjat: expect leading[0..5]: b128 = 0x00000000000000000000000000000080 0x0000000000000000000000000000007f 0x00000000000000000000000000000000 0x00000000000000000000000000000079 0x00000000000000000000000000000000 0x0000000000000000000000000000007e
; wedjat: expect trailing[0..5]: b128 = 0x00000000000000000000000000000080 0x00000000000000000000000000000000 0x00000000000000000000000000000000 0x00000000000000000000000000000006 0x00000000000000000000000000000007 0x00000000000000000000000000000000
; wedjat: expect reverse[0..5]: b128 = 0x00000000000000000000000000000000 0x80000000000000000000000000000000 0xffffffffffffffffffffffffffffffff 0x02000000000000000000000000000000 0x01ffffffffffffffffffffffffffffff 0xc0000000000000000000000000000000
; wedjat: expect l[0..5]: b128 = 0x00000000000000000000000000000000 0x00000000000000000000003000000000 0xffffffffffffffffffffffffffffffff 0x00000000000000000000080040000000 0xfffffffffffffffffffff0003fffffff 0x00000000000000000000007800000000
; wedjat: expect r[0..5]: b128 = 0x00000000000000000000000000000000 0x000c0000000000000000000000000000 0xffffffffffffffffffffffffffffffff 0x02001000000000000000000000000000 0xfc000fffffffffffffffffffffffffff 0x001e0000000000000000000000000000
; wedjat: expect ab[0..5]: b128 = 0x00000000000000000000000000000000 0x00000000000000000000000000000001 0x00000000000000000000000000000001 0x00000000000000000000000000000040 0x00000000000000000000000000000080 0x00000000000000000000000000000003

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i128 @llvm.ctpop.i128(i128)
declare i128 @llvm.ctlz.i128(i128, i1)
declare i128 @llvm.cttz.i128(i128, i1)
declare i128 @llvm.bitreverse.i128(i128)
declare i128 @llvm.fshl.i128(i128, i128, i128)
declare i128 @llvm.fshr.i128(i128, i128, i128)
declare i128 @llvm.abs.i128(i128, i1)

define ptx_kernel void @k(ptr %a.p, ptr %ones.p, ptr %leading.p, ptr %trailing.p, ptr %reverse.p, ptr %l.p, ptr %r.p, ptr %ab.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i128, ptr %a.p, i64 %i
  %a = load i128, ptr %a.at
  %ones = call i128 @llvm.ctpop.i128(i128 %a)
  %leading = call i128 @llvm.ctlz.i128(i128 %a, i1 false)
  %trailing = call i128 @llvm.cttz.i128(i128 %a, i1 false)
  %reverse = call i128 @llvm.bitreverse.i128(i128 %a)
  %l = call i128 @llvm.fshl.i128(i128 %a, i128 %reverse, i128 37)
  %r = call i128 @llvm.fshr.i128(i128 %a, i128 %reverse, i128 13)
  %ab = call i128 @llvm.abs.i128(i128 %a, i1 false)
  %ones.at = getelementptr i128, ptr %ones.p, i64 %i
  store i128 %ones, ptr %ones.at
  %leading.at = getelementptr i128, ptr %leading.p, i64 %i
  store i128 %leading, ptr %leading.at
  %trailing.at = getelementptr i128, ptr %trailing.p, i64 %i
  store i128 %trailing, ptr %trailing.at
  %reverse.at = getelementptr i128, ptr %reverse.p, i64 %i
  store i128 %reverse, ptr %reverse.at
  %l.at = getelementptr i128, ptr %l.p, i64 %i
  store i128 %l, ptr %l.at
  %r.at = getelementptr i128, ptr %r.p, i64 %i
  store i128 %r, ptr %r.at
  %ab.at = getelementptr i128, ptr %ab.p, i64 %i
  store i128 %ab, ptr %ab.at
  ret void
}
