; Quotients and remainders of bytes, which the machine computes wider.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i8 = 7 -7 127 -128 -128 100 -1 55
; wedjat: in b: i8 = 2 2 -1 2 3 -7 7 -128
; wedjat: out q: i8[8]
; wedjat: out r: i8[8]
; wedjat: out uq: i8[8]
; wedjat: out ur: i8[8]
; host q i8
; host r i8
; host uq i8
; host ur i8
; wedjat: expect q[0..7]: i8 = 3 -3 -127 -64 -42 -14 0 0
; wedjat: expect r[0..7]: i8 = 1 -1 0 0 -2 2 -1 55
; wedjat: expect uq[0..7]: i8 = 3 124 0 64 42 0 36 0
; wedjat: expect ur[0..7]: i8 = 1 1 127 0 2 100 3 55

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %q.p, ptr %r.p, ptr %uq.p, ptr %ur.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i8, ptr %a.p, i64 %i
  %a = load i8, ptr %a.at
  %b.at = getelementptr i8, ptr %b.p, i64 %i
  %b = load i8, ptr %b.at
  %q = sdiv i8 %a, %b
  %r = srem i8 %a, %b
  %uq = udiv i8 %a, %b
  %ur = urem i8 %a, %b
  %q.at = getelementptr i8, ptr %q.p, i64 %i
  store i8 %q, ptr %q.at
  %r.at = getelementptr i8, ptr %r.p, i64 %i
  store i8 %r, ptr %r.at
  %uq.at = getelementptr i8, ptr %uq.p, i64 %i
  store i8 %uq, ptr %uq.at
  %ur.at = getelementptr i8, ptr %ur.p, i64 %i
  store i8 %ur, ptr %ur.at
  ret void
}
