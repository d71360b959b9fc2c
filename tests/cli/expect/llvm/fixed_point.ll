; Products of fixed-point numbers, and where they saturate.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: i32[4] = random 3
; wedjat: in b: i32[4] = random 4
; wedjat: out y: i32[4]
; wedjat: out z: i32[4]
; host y i32
; host z i32
; wedjat: expect y[0..3]: i32 = 1583582472 -1498932939 -70795919 1488655108
; wedjat: expect z[0..3]: i32 = 2147483647 2147483647 2147483647 2147483647

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.smul.fix.i32(i32, i32, i32)
declare i32 @llvm.smul.fix.sat.i32(i32, i32, i32)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %y = call i32 @llvm.smul.fix.i32(i32 %a, i32 %b, i32 16)
  %z = call i32 @llvm.smul.fix.sat.i32(i32 %a, i32 %b, i32 16)
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  %z.at = getelementptr i32, ptr %z.p, i64 %i
  store i32 %z, ptr %z.at
  ret void
}
