; A warp adds its lanes by shuffles in a loop, and one instruction does the same: 496.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=32
; wedjat: out y: i32[32]
; wedjat: out z: i32[32]
; wedjat: expect y: i32 = fill 496
; wedjat: expect z: i32 = fill 496

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)

define ptx_kernel void @k(ptr %y, ptr %z) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  br label %head
head:
  %d = phi i32 [ 16, %entry ], [ %d.next, %head ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %head ]
  %o = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %s, i32 %d, i32 31)
  %s.next = add i32 %s, %o
  %d.next = lshr i32 %d, 1
  %more = icmp ne i32 %d.next, 0
  br i1 %more, label %head, label %end
end:
  %r = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 -1)
  %y.at = getelementptr i32, ptr %y, i64 %i
  %z.at = getelementptr i32, ptr %z, i64 %i
  store i32 %s.next, ptr %y.at
  store i32 %r, ptr %z.at
  ret void
}
