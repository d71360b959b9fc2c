; Integers of 24 bits lie in memory as three bytes and are read so.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i32[8] = random 5
; wedjat: out y: i32[8]
; host y i32
; wedjat: expect y[0..7]: i32 = -7748774 -6867208 7061831 375109 89541 475204 -3400927 -6688981

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %three = alloca i24
  %low = trunc i32 %a to i24
  store i24 %low, ptr %three
  %back = load i24, ptr %three
  %y = sext i24 %back to i32
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
