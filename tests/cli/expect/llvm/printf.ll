; A kernel prints a number, a float and a text.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=2
; wedjat: prints "thread 0: 0.5 of half"
; wedjat: prints "thread 1: 1.5 of half"

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @vprintf(ptr, ptr)

@format = private unnamed_addr addrspace(1) constant [22 x i8] c"thread %d: %.1f of %s\00"
@what = private unnamed_addr addrspace(1) constant [6 x i8] c"half\0A\00"
define ptx_kernel void @k() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %args = alloca { i32, double, ptr }, align 8
  %d.at = getelementptr { i32, double, ptr }, ptr %args, i32 0, i32 1
  %s.at = getelementptr { i32, double, ptr }, ptr %args, i32 0, i32 2
  %d = uitofp i32 %t to double
  %h = fadd double %d, 0.5
  store i32 %t, ptr %args
  store double %h, ptr %d.at
  store ptr addrspacecast (ptr addrspace(1) @what to ptr), ptr %s.at
  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(1) @format to ptr), ptr %args)
  ret void
}
