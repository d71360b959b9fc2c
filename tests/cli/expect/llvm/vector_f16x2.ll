; Two halves at once: sum, product, fma, maximum.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: f16 = 1 2 -3 4.5 0.1 100 65504 -1
; wedjat: in b: f16 = 0.5 3 7 -2 0.2 3 1 1
; wedjat: out y: f16[8]
; wedjat: out z: f16[8]
; host y f16
; host z f16
; wedjat: expect y[0..7]: f16 = 0x4000 0x4980 0xcc40 0xc680 0x351e 0x5e4c 0x7c00 0xbc00
; wedjat: expect z[0..7]: f16 = 0x3c00 0x4200 0x4700 0x4480 0x3266 0x5640 0x7bff 0x3c00

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare <2 x half> @llvm.fma.v2f16(<2 x half>, <2 x half>, <2 x half>)
declare <2 x half> @llvm.maxnum.v2f16(<2 x half>, <2 x half>)

define ptx_kernel void @k(ptr %a, ptr %b, ptr %y, ptr %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr <2 x half>, ptr %a, i64 %i
  %b.at = getelementptr <2 x half>, ptr %b, i64 %i
  %y.at = getelementptr <2 x half>, ptr %y, i64 %i
  %z.at = getelementptr <2 x half>, ptr %z, i64 %i
  %v = load <2 x half>, ptr %a.at
  %w = load <2 x half>, ptr %b.at
  %s = fadd <2 x half> %v, %w
  %m = call <2 x half> @llvm.fma.v2f16(<2 x half> %v, <2 x half> %w, <2 x half> %s)
  %x = call <2 x half> @llvm.maxnum.v2f16(<2 x half> %v, <2 x half> %w)
  store <2 x half> %m, ptr %y.at
  store <2 x half> %x, ptr %z.at
  ret void
}
