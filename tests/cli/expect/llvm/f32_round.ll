; Rounding to integers: down, up, towards zero, to nearest even; -0 stays.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=12
; wedjat: in a: f32 = 0.5 -0.5 1.5 2.5 -2.5 -0.0 0.49999997 8388609 1e30 -1.7 inf 3.0000002
; wedjat: out floor: f32[12]
; wedjat: out ceil: f32[12]
; wedjat: out trunc: f32[12]
; wedjat: out rint: f32[12]
; wedjat: out roundeven: f32[12]
; host floor f32
; host ceil f32
; host trunc f32
; host rint f32
; host roundeven f32
; wedjat: expect floor[0..7]: f32 = 0x00000000 0xbf800000 0x3f800000 0x40000000 0xc0400000 0x80000000 0x00000000 0x4b000001
; wedjat: expect floor[8..11]: f32 = 0x7149f2ca 0xc0000000 0x7f800000 0x40400000
; wedjat: expect ceil[0..7]: f32 = 0x3f800000 0x80000000 0x40000000 0x40400000 0xc0000000 0x80000000 0x3f800000 0x4b000001
; wedjat: expect ceil[8..11]: f32 = 0x7149f2ca 0xbf800000 0x7f800000 0x40800000
; wedjat: expect trunc[0..7]: f32 = 0x00000000 0x80000000 0x3f800000 0x40000000 0xc0000000 0x80000000 0x00000000 0x4b000001
; wedjat: expect trunc[8..11]: f32 = 0x7149f2ca 0xbf800000 0x7f800000 0x40400000
; wedjat: expect rint[0..7]: f32 = 0x00000000 0x80000000 0x40000000 0x40000000 0xc0000000 0x80000000 0x00000000 0x4b000001
; wedjat: expect rint[8..11]: f32 = 0x7149f2ca 0xc0000000 0x7f800000 0x40400000
; wedjat: expect roundeven[0..7]: f32 = 0x00000000 0x80000000 0x40000000 0x40000000 0xc0000000 0x80000000 0x00000000 0x4b000001
; wedjat: expect roundeven[8..11]: f32 = 0x7149f2ca 0xc0000000 0x7f800000 0x40400000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.floor.f32(float)
declare float @llvm.ceil.f32(float)
declare float @llvm.trunc.f32(float)
declare float @llvm.rint.f32(float)
declare float @llvm.roundeven.f32(float)

define ptx_kernel void @k(ptr %a.p, ptr %floor.p, ptr %ceil.p, ptr %trunc.p, ptr %rint.p, ptr %roundeven.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %floor = call float @llvm.floor.f32(float %a)
  %ceil = call float @llvm.ceil.f32(float %a)
  %trunc = call float @llvm.trunc.f32(float %a)
  %rint = call float @llvm.rint.f32(float %a)
  %roundeven = call float @llvm.roundeven.f32(float %a)
  %floor.at = getelementptr float, ptr %floor.p, i64 %i
  store float %floor, ptr %floor.at
  %ceil.at = getelementptr float, ptr %ceil.p, i64 %i
  store float %ceil, ptr %ceil.at
  %trunc.at = getelementptr float, ptr %trunc.p, i64 %i
  store float %trunc, ptr %trunc.at
  %rint.at = getelementptr float, ptr %rint.p, i64 %i
  store float %rint, ptr %rint.at
  %roundeven.at = getelementptr float, ptr %roundeven.p, i64 %i
  store float %roundeven, ptr %roundeven.at
  ret void
}
