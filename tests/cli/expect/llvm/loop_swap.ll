; A loop whose variables change places: Fibonacci numbers.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=40
; wedjat: in n: i32[40] = range 0
; wedjat: out y: i32[40]
; host y i32
; wedjat: expect y[0..7]: i32 = 0 1 1 2 3 5 8 13
; wedjat: expect y[8..15]: i32 = 21 34 55 89 144 233 377 610
; wedjat: expect y[16..23]: i32 = 987 1597 2584 4181 6765 10946 17711 28657
; wedjat: expect y[24..31]: i32 = 46368 75025 121393 196418 317811 514229 832040 1346269
; wedjat: expect y[32..39]: i32 = 2178309 3524578 5702887 9227465 14930352 24157817 39088169 63245986

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %n.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %n.at = getelementptr i32, ptr %n.p, i64 %i
  %n = load i32, ptr %n.at
  br label %head
head:
  %k = phi i32 [ 0, %0 ], [ %k.next, %body ]
  %p = phi i32 [ 0, %0 ], [ %q, %body ]
  %q = phi i32 [ 1, %0 ], [ %s, %body ]
  %more = icmp ult i32 %k, %n
  br i1 %more, label %body, label %end
body:
  %s = add i32 %p, %q
  %k.next = add i32 %k, 1
  br label %head
end:
  %y = add i32 %p, 0
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
