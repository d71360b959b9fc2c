; A tree of sums in shared memory: 0 + 1 + … + 127 = 8128.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=128
; wedjat: out y: i32[1]
; wedjat: expect y: i32 = 8128

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

@s = internal addrspace(3) global [128 x i32] undef
define ptx_kernel void @k(ptr %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %me = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %me
  call void @llvm.nvvm.barrier0()
  br label %head
head:
  %d = phi i32 [ 64, %entry ], [ %d.next, %next ]
  %mine = icmp ult i32 %t, %d
  br i1 %mine, label %sum, label %next
sum:
  %o = add i32 %t, %d
  %other = getelementptr i32, ptr addrspace(3) @s, i32 %o
  %x = load i32, ptr addrspace(3) %me
  %z = load i32, ptr addrspace(3) %other
  %xz = add i32 %x, %z
  store i32 %xz, ptr addrspace(3) %me
  br label %next
next:
  call void @llvm.nvvm.barrier0()
  %d.next = lshr i32 %d, 1
  %more = icmp ne i32 %d.next, 0
  br i1 %more, label %head, label %end
end:
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %out
write:
  %r = load i32, ptr addrspace(3) %me
  store i32 %r, ptr %y
  br label %out
out:
  ret void
}
