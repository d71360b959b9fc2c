; Integers of 24 bits: what lies above them does not matter.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=16
; wedjat: in a: i32[16] = random 3
; wedjat: in b: i32[16] = random 4
; wedjat: out y: i32[16]
; wedjat: out z: i32[16]
; wedjat: out q: i32[16]
; host y i32
; host z i32
; host q i32
; wedjat: expect y[0..7]: i32 = 545538 3537328 7440223 267714 3037542 6404135 6975888 -8145652
; wedjat: expect y[8..15]: i32 = -204342 6418746 -7446760 162951 -7509200 -7064664 6943420 -6149366
; wedjat: expect z[0..7]: i32 = 3480247 1726905 13394272 10469997 3171407 9712872 1907990 8982888
; wedjat: expect z[8..15]: i32 = 5810499 10827639 7005934 14143608 12414896 13847291 7721605 5252923
; wedjat: expect q[0..7]: i32 = 0 1 0 7 0 0 0 -35
; wedjat: expect q[8..15]: i32 = 5 0 0 0 0 0 0 2

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p, ptr %q.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %p = trunc i32 %a to i24
  %r = trunc i32 %b to i24
  %product = mul i24 %p, %r
  %y = sext i24 %product to i32
  %sum = add i24 %p, %r
  %z = zext i24 %sum to i32
  %one = or i24 %r, 1
  %quotient = sdiv i24 %p, %one
  %q = sext i24 %quotient to i32
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  %z.at = getelementptr i32, ptr %z.p, i64 %i
  store i32 %z, ptr %z.at
  %q.at = getelementptr i32, ptr %q.p, i64 %i
  store i32 %q, ptr %q.at
  ret void
}
