; A kernel's struct by value, of which each thread picks an element.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: scalar s: b8[16] = 0x11 0 0 0 0x22 0 0 0 0x33 0 0 0 0xff 0xff 0xff 0xff
; wedjat: out y: i32[4]
; wedjat: expect y: i32 = 17 34 51 -1

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr byval([4 x i32]) align 4 %s, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %s.at = getelementptr i32, ptr %s, i64 %i
  %v = load i32, ptr %s.at
  %y.at = getelementptr i32, ptr %y, i64 %i
  store i32 %v, ptr %y.at
  ret void
}
