; Pointers to constants, globals and stacks through one generic pointer.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=3
; wedjat: out y: i32[3]
; host y i32
; wedjat: expect y[0..2]: i32 = 11 45 35

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

@fixed = internal addrspace(4) constant [2 x i32] [i32 11, i32 22]
@counter = addrspace(1) global i32 33
define internal i32 @through(ptr %p, i32 %v) noinline {
  %old = load i32, ptr %p
  %new = add i32 %old, %v
  ret i32 %new
}
define ptx_kernel void @k(ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %s = alloca i32
  store i32 44, ptr %s
  %f = addrspacecast ptr addrspace(4) @fixed to ptr
  %g = addrspacecast ptr addrspace(1) @counter to ptr
  %zero = icmp eq i32 %t, 0
  %one = icmp eq i32 %t, 1
  %p1 = select i1 %one, ptr %s, ptr %g
  %p = select i1 %zero, ptr %f, ptr %p1
  %r = call i32 @through(ptr %p, i32 %t)
  %two = icmp eq i32 %t, 2
  br i1 %two, label %write, label %end
write:
  %sum = add i32 %r, 22
  store i32 %sum, ptr addrspace(1) @counter
  br label %end
end:
  %y.at = getelementptr i32, ptr %y, i64 %i
  store i32 %r, ptr %y.at
  ret void
}
