; A dense switch: a table of labels.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=12
; wedjat: in a: i32[12] = range -2
; wedjat: out y: i32[12]
; host y i32
; wedjat: expect y[0..7]: i32 = -1 -1 100 10 77 30 -4 55
; wedjat: expect y[8..11]: i32 = 100 -1 -1 -1

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  switch i32 %a, label %other [ i32 0, label %c0
  i32 1, label %c1
  i32 2, label %c2
  i32 3, label %c1
  i32 4, label %c4
  i32 5, label %c5
  i32 6, label %c0 ]
c0:
  br label %end
c1:
  %one = mul i32 %a, 10
  br label %end
c2:
  br label %c5
c4:
  %four = sub i32 0, %a
  br label %end
c5:
  %five = phi i32 [ 77, %c2 ], [ 55, %0 ]
  br label %end
other:
  br label %end
end:
  %y = phi i32 [ 100, %c0 ], [ %one, %c1 ], [ %four, %c4 ], [ %five, %c5 ], [ -1, %other ]
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
