; Quotients and remainders of 64 bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i64 = 7 -7 7 9223372036854775807 -9223372036854775808 -9223372036854775808 1 1000000000000
; wedjat: in b: i64 = 2 2 -2 -1 2 10000000000 1000 33
; wedjat: out q: i64[8]
; wedjat: out r: i64[8]
; wedjat: out uq: i64[8]
; wedjat: out ur: i64[8]
; host q i64
; host r i64
; host uq i64
; host ur i64
; wedjat: expect q[0..7]: i64 = 3 -3 -3 -9223372036854775807 -4611686018427387904 -922337203 0 30303030303
; wedjat: expect r[0..7]: i64 = 1 -1 1 0 0 -6854775808 1 1
; wedjat: expect uq[0..7]: i64 = 3 9223372036854775804 0 0 4611686018427387904 922337203 0 30303030303
; wedjat: expect ur[0..7]: i64 = 1 1 7 9223372036854775807 0 6854775808 1 1

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %q.p, ptr %r.p, ptr %uq.p, ptr %ur.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i64, ptr %a.p, i64 %i
  %a = load i64, ptr %a.at
  %b.at = getelementptr i64, ptr %b.p, i64 %i
  %b = load i64, ptr %b.at
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %uq = udiv i64 %a, %b
  %ur = urem i64 %a, %b
  %q.at = getelementptr i64, ptr %q.p, i64 %i
  store i64 %q, ptr %q.at
  %r.at = getelementptr i64, ptr %r.p, i64 %i
  store i64 %r, ptr %r.at
  %uq.at = getelementptr i64, ptr %uq.p, i64 %i
  store i64 %uq, ptr %uq.at
  %ur.at = getelementptr i64, ptr %ur.p, i64 %i
  store i64 %ur, ptr %ur.at
  ret void
}
