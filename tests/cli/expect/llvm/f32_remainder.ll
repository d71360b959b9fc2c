; frem is fmod: exact for quotients that f32 can hold.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: f32 = 5.5 -5.5 7 1 100 0.3
; wedjat: in b: f32 = 2 2 -3 3 7 0.1
; wedjat: out y: f32[6]
; host y f32
; wedjat: expect y[0..5]: f32 = 0x3fc00000 0xbfc00000 0x3f800000 0x3f800000 0x40000000 0x32000000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr float, ptr %b.p, i64 %i
  %b = load float, ptr %b.at
  %y = frem float %a, %b
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  ret void
}
