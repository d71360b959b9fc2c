; Halves are computed as halves.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=7
; wedjat: in a: f16 = 1 2.5 1000 0.1 65504 6e-8 -3
; wedjat: in b: f16 = 3 0.25 1000 0.2 1 0.5 7
; wedjat: out sum: f16[7]
; wedjat: out difference: f16[7]
; wedjat: out product: f16[7]
; wedjat: out quotient: f16[7]
; host sum f16
; host difference f16
; host product f16
; host quotient f16
; wedjat: expect sum[0..6]: f16 = 0x4400 0x4180 0x67d0 0x34cc 0x7bff 0x3800 0x4400
; wedjat: expect difference[0..6]: f16 = 0xc000 0x4080 0x0000 0xae66 0x7bff 0xb800 0xc900
; wedjat: expect product[0..6]: f16 = 0x4200 0x3900 0x7c00 0x251e 0x7bff 0x0000 0xcd40
; wedjat: expect quotient[0..6]: f16 = 0x3555 0x4900 0x3c00 0x3800 0x7bff 0x0002 0xb6db

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sum.p, ptr %difference.p, ptr %product.p, ptr %quotient.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr half, ptr %a.p, i64 %i
  %a = load half, ptr %a.at
  %b.at = getelementptr half, ptr %b.p, i64 %i
  %b = load half, ptr %b.at
  %sum = fadd half %a, %b
  %difference = fsub half %a, %b
  %product = fmul half %a, %b
  %quotient = fdiv half %a, %b
  %sum.at = getelementptr half, ptr %sum.p, i64 %i
  store half %sum, ptr %sum.at
  %difference.at = getelementptr half, ptr %difference.p, i64 %i
  store half %difference, ptr %difference.at
  %product.at = getelementptr half, ptr %product.p, i64 %i
  store half %product, ptr %product.at
  %quotient.at = getelementptr half, ptr %quotient.p, i64 %i
  store half %quotient, ptr %quotient.at
  ret void
}
