; Integers become bfloat16, rounded once: 33685505 lies just above the middle between two of them.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i32 = 257 259 65537 16777217 33685505 -5
; wedjat: in b: i64 = 257 259 4311744513 1103823437825 -5 4521260802376961
; wedjat: out y: bf16[6]
; wedjat: out z: bf16[6]
; wedjat: expect y: bf16 = 256 260 65536 16777216 33816576 -5
; wedjat: expect z: bf16 = 256 260 4328521728 1108101562368 -5 4538783999459328
; By hand: the host rounds to f32 first, and so twice.

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i64, ptr %b.p, i64 %i
  %b = load i64, ptr %b.at
  %y = sitofp i32 %a to bfloat
  %z = sitofp i64 %b to bfloat
  %y.at = getelementptr bfloat, ptr %y.p, i64 %i
  store bfloat %y, ptr %y.at
  %z.at = getelementptr bfloat, ptr %z.p, i64 %i
  store bfloat %z, ptr %z.at
  ret void
}
