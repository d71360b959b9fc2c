; An assertion that thread 3 breaks.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: fails "x < 3"

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @__assertfail(ptr, ptr, i32, ptr, i64) noreturn

@message = private unnamed_addr addrspace(1) constant [6 x i8] c"x < 3\00"
@file = private unnamed_addr addrspace(1) constant [5 x i8] c"a.cu\00"
@function = private unnamed_addr addrspace(1) constant [2 x i8] c"k\00"
define ptx_kernel void @k() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ok = icmp ult i32 %t, 3
  br i1 %ok, label %end, label %fail
fail:
  call void @__assertfail(ptr addrspacecast (ptr addrspace(1) @message to ptr), ptr addrspacecast (ptr addrspace(1) @file to ptr), i32 17, ptr addrspacecast (ptr addrspace(1) @function to ptr), i64 1)
  unreachable
end:
  ret void
}
