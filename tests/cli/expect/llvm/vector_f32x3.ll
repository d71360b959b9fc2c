; Three floats, which fill no register pair, and the gaps between them.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=2
; wedjat: in a: f32 = 1 2 3 4 5 6 7 8
; wedjat: inout y: f32[8] = fill 9
; host y f32
; wedjat: expect y[0..7]: f32 = 0x40000000 0xc0000000 0x3fc00000 0x41100000 0x41200000 0xc0c00000 0x40600000 0x41100000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr [4 x float], ptr %a, i64 %i
  %y.at = getelementptr [4 x float], ptr %y, i64 %i
  %v = load <3 x float>, ptr %a.at
  %w = fmul <3 x float> %v, <float 2.0, float -1.0, float 0.5>
  store <3 x float> %w, ptr %y.at
  ret void
}
