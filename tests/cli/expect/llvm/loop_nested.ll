; Nested loops with an early way out: the least factor of each number.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=10
; wedjat: in n: i32 = 4 9 15 49 97 121 77 2 3 35
; wedjat: out y: i32[10]
; host y i32
; wedjat: expect y[0..7]: i32 = 2 3 3 7 97 11 7 2
; wedjat: expect y[8..9]: i32 = 3 5

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %n.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %n.at = getelementptr i32, ptr %n.p, i64 %i
  %n = load i32, ptr %n.at
  br label %outer
outer:
  %f = phi i32 [ 2, %0 ], [ %f.next, %inner.done ]
  %small = icmp ult i32 %f, %n
  br i1 %small, label %inner, label %end
inner:
  %m = phi i32 [ %f, %outer ], [ %m.next, %inner.more ]
  %same = icmp eq i32 %m, %n
  br i1 %same, label %end, label %inner.more
inner.more:
  %m.next = add i32 %m, %f
  %over = icmp ugt i32 %m.next, %n
  br i1 %over, label %inner.done, label %inner
inner.done:
  %f.next = add i32 %f, 1
  br label %outer
end:
  %y = phi i32 [ %n, %outer ], [ %f, %inner ]
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
