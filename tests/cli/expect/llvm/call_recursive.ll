; A function that calls itself twice.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=12
; wedjat: in n: i32[12] = range 0
; wedjat: out y: i32[12]
; host y i32
; wedjat: expect y[0..7]: i32 = 0 1 1 2 3 5 8 13
; wedjat: expect y[8..11]: i32 = 21 34 55 89

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define internal i32 @fib(i32 %n) noinline {
  %small = icmp slt i32 %n, 2
  br i1 %small, label %leaf, label %inner
leaf:
  ret i32 %n
inner:
  %n1 = sub i32 %n, 1
  %n2 = sub i32 %n, 2
  %f1 = call i32 @fib(i32 %n1)
  %f2 = call i32 @fib(i32 %n2)
  %s = add i32 %f1, %f2
  ret i32 %s
}
define ptx_kernel void @k(ptr %n, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %n.at = getelementptr i32, ptr %n, i64 %i
  %v = load i32, ptr %n.at
  %f = call i32 @fib(i32 %v)
  %y.at = getelementptr i32, ptr %y, i64 %i
  store i32 %f, ptr %y.at
  ret void
}
