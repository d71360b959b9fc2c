; Through shared memory and a barrier: each CTA turns its elements round.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k grid=2 block=64
; wedjat: in a: i32[128] = range 0
; wedjat: out y: i32[128]
; wedjat: expect y[0..63]: i32 = range 63 step -1
; wedjat: expect y[64..127]: i32 = range 127 step -1

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()

@s = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(ptr %a, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c64 = shl i32 %c, 6
  %n = add i32 %c64, %t
  %n64 = zext i32 %n to i64
  %a.at = getelementptr i32, ptr %a, i64 %n64
  %v = load i32, ptr %a.at
  %to = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %v, ptr addrspace(3) %to
  call void @llvm.nvvm.barrier0()
  %back = sub i32 63, %t
  %from = getelementptr i32, ptr addrspace(3) @s, i32 %back
  %w = load i32, ptr addrspace(3) %from
  %y.at = getelementptr i32, ptr %y, i64 %n64
  store i32 %w, ptr %y.at
  ret void
}
