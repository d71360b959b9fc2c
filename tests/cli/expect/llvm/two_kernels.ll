; Two kernels after each other on the same memory, and a variable they share.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch fill block=8
; wedjat: out y: i32[8]
; wedjat: expect y: i32 = range 1
; wedjat: expect total: i32 = 36
; wedjat: then twice block=8
; wedjat: args y
; wedjat: expect y: i32 = range 2 step 2
; wedjat: expect total: i32 = 72

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

@total = addrspace(1) global i32 0
define ptx_kernel void @fill(ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %v = add i32 %t, 1
  %y.at = getelementptr i32, ptr %y, i64 %i
  store i32 %v, ptr %y.at
  %old = atomicrmw add ptr addrspace(1) @total, i32 %v monotonic
  ret void
}
define ptx_kernel void @twice(ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %y.at = getelementptr i32, ptr %y, i64 %i
  %x = load i32, ptr %y.at
  %v = shl i32 %x, 1
  store i32 %v, ptr %y.at
  %old = atomicrmw add ptr addrspace(1) @total, i32 %x monotonic
  ret void
}
