; Chains of selects on signed and unsigned comparisons.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i32 = -5 0 5 10 -2147483648 2147483647
; wedjat: in b: i32 = 5 0 -5 10 1 -1
; wedjat: out y: i32[6]
; host y i32
; wedjat: expect y[0..5]: i32 = -5 7 1000 7 -2147483648 1000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %lt = icmp slt i32 %a, %b
  %ult = icmp ult i32 %a, %b
  %eq = icmp eq i32 %a, %b
  %x1 = select i1 %lt, i32 %a, i32 %b
  %x2 = select i1 %ult, i32 1000, i32 %x1
  %y = select i1 %eq, i32 7, i32 %x2
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
