; Sums, differences, products and quotients round to nearest even; subnormals stay.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=10
; wedjat: in a: f32 = 1.5 -2.25 1e30 1e-40 0.1 16777216 -0.0 3.4e38 1 2
; wedjat: in b: f32 = 0.75 3 1e10 1e-5 0.2 1 1.0 3.4e38 3 -7
; wedjat: out sum: f32[10]
; wedjat: out difference: f32[10]
; wedjat: out product: f32[10]
; wedjat: out quotient: f32[10]
; host sum f32
; host difference f32
; host product f32
; host quotient f32
; wedjat: expect sum[0..7]: f32 = 0x40100000 0x3f400000 0x7149f2ca 0x3727c5ac 0x3e99999a 0x4b800000 0x3f800000 0x7f800000
; wedjat: expect sum[8..9]: f32 = 0x40800000 0xc0a00000
; wedjat: expect difference[0..7]: f32 = 0x3f400000 0xc0a80000 0x7149f2ca 0xb727c5ac 0xbdcccccd 0x4b7fffff 0xbf800000 0x00000000
; wedjat: expect difference[8..9]: f32 = 0xc0000000 0x41100000
; wedjat: expect product[0..7]: f32 = 0x3f900000 0xc0d80000 0x7f800000 0x00000001 0x3ca3d70b 0x4b800000 0x80000000 0x7f800000
; wedjat: expect product[8..9]: f32 = 0x40400000 0xc1600000
; wedjat: expect quotient[0..7]: f32 = 0x40000000 0xbf400000 0x60ad78ec 0x0554ace3 0x3f000000 0x4b800000 0x80000000 0x3f800000
; wedjat: expect quotient[8..9]: f32 = 0x3eaaaaab 0xbe924925

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sum.p, ptr %difference.p, ptr %product.p, ptr %quotient.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr float, ptr %b.p, i64 %i
  %b = load float, ptr %b.at
  %sum = fadd float %a, %b
  %difference = fsub float %a, %b
  %product = fmul float %a, %b
  %quotient = fdiv float %a, %b
  %sum.at = getelementptr float, ptr %sum.p, i64 %i
  store float %sum, ptr %sum.at
  %difference.at = getelementptr float, ptr %difference.p, i64 %i
  store float %difference, ptr %difference.at
  %product.at = getelementptr float, ptr %product.p, i64 %i
  store float %product, ptr %product.at
  %quotient.at = getelementptr float, ptr %quotient.p, i64 %i
  store float %quotient, ptr %quotient.at
  ret void
}
