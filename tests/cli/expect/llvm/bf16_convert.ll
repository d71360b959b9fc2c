; bfloat16 from f32 rounds to nearest even; back it is exact.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in f: f32 = 1.00390625 1.01171875 3.14159 1e-40 3.4e38 -0.1
; wedjat: in b: bf16 = 1 -2.5 0x7f80 0x0001 0x4049 0x8000
; wedjat: out x: bf16[6]
; wedjat: out y: f32[6]
; host x bf16
; host y f32
; wedjat: expect x[0..5]: bf16 = 0x3f80 0x3f82 0x4049 0x0001 0x7f80 0xbdcd
; wedjat: expect y[0..5]: f32 = 0x3f800000 0xc0200000 0x7f800000 0x00010000 0x40490000 0x80000000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %f.p, ptr %b.p, ptr %x.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %f.at = getelementptr float, ptr %f.p, i64 %i
  %f = load float, ptr %f.at
  %b.at = getelementptr bfloat, ptr %b.p, i64 %i
  %b = load bfloat, ptr %b.at
  %x = fptrunc float %f to bfloat
  %y = fpext bfloat %b to float
  %x.at = getelementptr bfloat, ptr %x.p, i64 %i
  store bfloat %x, ptr %x.at
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  ret void
}
