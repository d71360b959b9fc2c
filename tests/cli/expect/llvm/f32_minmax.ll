; llvm.minnum and llvm.maxnum give the number where the other operand is a quiet NaN.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: f32 = 1 2 -1 0x7fc00000 3 inf -inf 5
; wedjat: in b: f32 = 2 1 -2 1 0x7fc00000 1 1 5
; wedjat: out lo: f32[8]
; wedjat: out hi: f32[8]
; host lo f32
; host hi f32
; wedjat: expect lo[0..7]: f32 = 0x3f800000 0x3f800000 0xc0000000 0x3f800000 0x40400000 0x3f800000 0xff800000 0x40a00000
; wedjat: expect hi[0..7]: f32 = 0x40000000 0x40000000 0xbf800000 0x3f800000 0x40400000 0x7f800000 0x3f800000 0x40a00000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.minnum.f32(float, float)
declare float @llvm.maxnum.f32(float, float)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %lo.p, ptr %hi.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr float, ptr %b.p, i64 %i
  %b = load float, ptr %b.at
  %lo = call float @llvm.minnum.f32(float %a, float %b)
  %hi = call float @llvm.maxnum.f32(float %a, float %b)
  %lo.at = getelementptr float, ptr %lo.p, i64 %i
  store float %lo, ptr %lo.at
  %hi.at = getelementptr float, ptr %hi.p, i64 %i
  store float %hi, ptr %hi.at
  ret void
}
