; Conversions that saturate; a NaN becomes 0.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=10
; wedjat: in a: f32 = 0.5 -0.5 300 -300 3e9 -3e9 1e20 0x7fc00000 inf -inf
; wedjat: out s8: i8[10]
; wedjat: out u8: u8[10]
; wedjat: out s32: i32[10]
; wedjat: out u32: u32[10]
; wedjat: out s64: i64[10]
; host s8 i8
; host u8 u8
; host s32 i32
; host u32 u32
; host s64 i64
; wedjat: expect s8[0..7]: i8 = 0 0 127 -128 127 -128 127 0
; wedjat: expect s8[8..9]: i8 = 127 -128
; wedjat: expect u8[0..7]: u8 = 0 0 255 0 255 0 255 0
; wedjat: expect u8[8..9]: u8 = 255 0
; wedjat: expect s32[0..7]: i32 = 0 0 300 -300 2147483647 -2147483648 2147483647 0
; wedjat: expect s32[8..9]: i32 = 2147483647 -2147483648
; wedjat: expect u32[0..7]: u32 = 0 0 300 0 3000000000 0 4294967295 0
; wedjat: expect u32[8..9]: u32 = 4294967295 0
; wedjat: expect s64[0..7]: i64 = 0 0 300 -300 3000000000 -3000000000 9223372036854775807 0
; wedjat: expect s64[8..9]: i64 = 9223372036854775807 -9223372036854775808

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare i64 @llvm.fptosi.sat.i64.f32(float)
declare i64 @llvm.fptoui.sat.i64.f32(float)

define ptx_kernel void @k(ptr %a.p, ptr %s8.p, ptr %u8.p, ptr %s32.p, ptr %u32.p, ptr %s64.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %s8 = call i8 @llvm.fptosi.sat.i8.f32(float %a)
  %u8 = call i8 @llvm.fptoui.sat.i8.f32(float %a)
  %s32 = call i32 @llvm.fptosi.sat.i32.f32(float %a)
  %u32 = call i32 @llvm.fptoui.sat.i32.f32(float %a)
  %s64 = call i64 @llvm.fptosi.sat.i64.f32(float %a)
  %s8.at = getelementptr i8, ptr %s8.p, i64 %i
  store i8 %s8, ptr %s8.at
  %u8.at = getelementptr i8, ptr %u8.p, i64 %i
  store i8 %u8, ptr %u8.at
  %s32.at = getelementptr i32, ptr %s32.p, i64 %i
  store i32 %s32, ptr %s32.at
  %u32.at = getelementptr i32, ptr %u32.p, i64 %i
  store i32 %u32, ptr %u32.at
  %s64.at = getelementptr i64, ptr %s64.p, i64 %i
  store i64 %s64, ptr %s64.at
  ret void
}
