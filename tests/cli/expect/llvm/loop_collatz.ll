; A loop that each thread leaves after steps of its own.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=64
; wedjat: in n: i32[64] = range 1
; wedjat: out y: i32[64]
; host y i32
; wedjat: expect y[0..7]: i32 = 0 1 7 2 5 8 16 3
; wedjat: expect y[8..15]: i32 = 19 6 14 9 9 17 17 4
; wedjat: expect y[16..23]: i32 = 12 20 20 7 7 15 15 10
; wedjat: expect y[24..31]: i32 = 23 10 111 18 18 18 106 5
; wedjat: expect y[32..39]: i32 = 26 13 13 21 21 21 34 8
; wedjat: expect y[40..47]: i32 = 109 8 29 16 16 16 104 11
; wedjat: expect y[48..55]: i32 = 24 24 24 11 11 112 112 19
; wedjat: expect y[56..63]: i32 = 32 19 32 19 19 107 107 6

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %n.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %n.at = getelementptr i32, ptr %n.p, i64 %i
  %n = load i32, ptr %n.at
  br label %head
head:
  %k = phi i32 [ 0, %0 ], [ %k.next, %next ]
  %v = phi i32 [ %n, %0 ], [ %v.next, %next ]
  %done = icmp eq i32 %v, 1
  br i1 %done, label %end, label %body
body:
  %low = and i32 %v, 1
  %odd = icmp ne i32 %low, 0
  br i1 %odd, label %up, label %down
up:
  %triple = mul i32 %v, 3
  %u = add i32 %triple, 1
  br label %next
down:
  %d = lshr i32 %v, 1
  br label %next
next:
  %v.next = phi i32 [ %u, %up ], [ %d, %down ]
  %k.next = add i32 %k, 1
  br label %head
end:
  %y = add i32 %k, 0
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
