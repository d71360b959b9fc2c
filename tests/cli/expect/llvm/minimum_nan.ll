; llvm.minimum and llvm.maximum: a NaN wins, and -0 is less than 0.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: f32 = 1 0x7fc00000 -0.0 0.0
; wedjat: in b: f32 = 2 1 0.0 -0.0
; wedjat: out lo: f32[4]
; wedjat: out hi: f32[4]
; wedjat: expect lo: f32 = 1 nan -0.0 -0.0
; wedjat: expect hi: f32 = 2 nan 0.0 0.0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.minimum.f32(float, float)
declare float @llvm.maximum.f32(float, float)

define ptx_kernel void @k(ptr %a, ptr %b, ptr %lo, ptr %hi) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a, i64 %i
  %b.at = getelementptr float, ptr %b, i64 %i
  %x = load float, ptr %a.at
  %y = load float, ptr %b.at
  %l = call float @llvm.minimum.f32(float %x, float %y)
  %h = call float @llvm.maximum.f32(float %x, float %y)
  %lo.at = getelementptr float, ptr %lo, i64 %i
  %hi.at = getelementptr float, ptr %hi, i64 %i
  store float %l, ptr %lo.at
  store float %h, ptr %hi.at
  ret void
}
