; Four words at once.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: i32[16] = range -8
; wedjat: in b: i32[16] = range 100 step 7
; wedjat: out y: i32[16]
; host y i32
; wedjat: expect y[0..7]: i32 = -800 -749 -684 -605 -512 -405 -284 -149
; wedjat: expect y[8..15]: i32 = 156 163 170 531 184 191 198 205

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a, ptr %b, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr <4 x i32>, ptr %a, i64 %i
  %b.at = getelementptr <4 x i32>, ptr %b, i64 %i
  %y.at = getelementptr <4 x i32>, ptr %y, i64 %i
  %v = load <4 x i32>, ptr %a.at
  %w = load <4 x i32>, ptr %b.at
  %p = mul <4 x i32> %v, %w
  %c = icmp slt <4 x i32> %v, <i32 -2, i32 0, i32 2, i32 4>
  %s = select <4 x i1> %c, <4 x i32> %p, <4 x i32> %w
  store <4 x i32> %s, ptr %y.at
  ret void
}
