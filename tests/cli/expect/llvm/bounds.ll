; A thread that writes behind its buffer ends the launch with an error.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=5
; wedjat: out y: i32[4]
; wedjat: fails "out of bounds"

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %y.at = getelementptr i32, ptr %y, i64 %i
  store i32 1, ptr %y.at
  ret void
}
