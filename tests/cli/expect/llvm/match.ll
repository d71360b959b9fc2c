; Lanes with the same value find each other: those of each remainder by 4.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=32
; wedjat: out y: b32[32]
; wedjat: expect y: b32 = pattern 0x11111111 0x22222222 0x44444444 0x88888888

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)

define ptx_kernel void @k(ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %r = and i32 %t, 3
  %m = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %r)
  %y.at = getelementptr i32, ptr %y, i64 %i
  store i32 %m, ptr %y.at
  ret void
}
