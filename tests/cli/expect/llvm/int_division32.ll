; Quotients and remainders truncate towards zero.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=9
; wedjat: in a: i32 = 7 -7 7 -7 2147483647 -2147483648 -2147483648 100 1
; wedjat: in b: i32 = 2 2 -2 -2 -1 2 3 -7 1000
; wedjat: out q: i32[9]
; wedjat: out r: i32[9]
; wedjat: out uq: i32[9]
; wedjat: out ur: i32[9]
; host q i32
; host r i32
; host uq i32
; host ur i32
; wedjat: expect q[0..7]: i32 = 3 -3 -3 3 -2147483647 -1073741824 -715827882 -14
; wedjat: expect q[8..8]: i32 = 0
; wedjat: expect r[0..7]: i32 = 1 -1 1 -1 0 0 -2 2
; wedjat: expect r[8..8]: i32 = 1
; wedjat: expect uq[0..7]: i32 = 3 2147483644 0 0 0 1073741824 715827882 0
; wedjat: expect uq[8..8]: i32 = 0
; wedjat: expect ur[0..7]: i32 = 1 1 7 -7 2147483647 0 2 100
; wedjat: expect ur[8..8]: i32 = 1

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %q.p, ptr %r.p, ptr %uq.p, ptr %ur.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %q = sdiv i32 %a, %b
  %r = srem i32 %a, %b
  %uq = udiv i32 %a, %b
  %ur = urem i32 %a, %b
  %q.at = getelementptr i32, ptr %q.p, i64 %i
  store i32 %q, ptr %q.at
  %r.at = getelementptr i32, ptr %r.p, i64 %i
  store i32 %r, ptr %r.at
  %uq.at = getelementptr i32, ptr %uq.p, i64 %i
  store i32 %uq, ptr %uq.at
  %ur.at = getelementptr i32, ptr %ur.p, i64 %i
  store i32 %ur, ptr %ur.at
  ret void
}
