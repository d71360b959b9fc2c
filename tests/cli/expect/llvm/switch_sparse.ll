; A sparse switch of 64 bits: a tree of comparisons.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i64 = -9000000000 -1 0 5 1000 4294967296 4294967297 9000000000
; wedjat: out y: i32[8]
; host y i32
; wedjat: expect y[0..7]: i32 = 1 0 0 2 0 3 0 1

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i64, ptr %a.p, i64 %i
  %a = load i64, ptr %a.at
  switch i64 %a, label %end [ i64 -9000000000, label %c1
  i64 5, label %c2
  i64 4294967296, label %c3
  i64 9000000000, label %c1 ]
c1:
  br label %end
c2:
  br label %end
c3:
  br label %end
end:
  %y = phi i32 [ 0, %0 ], [ 1, %c1 ], [ 2, %c2 ], [ 3, %c3 ]
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
