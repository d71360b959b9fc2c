; bfloat16: sums and products, rounded to nearest even.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=5
; wedjat: in a: bf16 = 1 2.5 1000 0x3dcd -3
; wedjat: in b: bf16 = 3 0.25 1000 0x3e4d 7
; wedjat: out sum: bf16[5]
; wedjat: out difference: bf16[5]
; wedjat: out product: bf16[5]
; host sum bf16
; host difference bf16
; host product bf16
; wedjat: expect sum[0..4]: bf16 = 0x4080 0x4030 0x44fa 0x3e9a 0x4080
; wedjat: expect difference[0..4]: bf16 = 0xc000 0x4010 0x0000 0xbdcd 0xc120
; wedjat: expect product[0..4]: bf16 = 0x4040 0x3f20 0x4974 0x3ca4 0xc1a8

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sum.p, ptr %difference.p, ptr %product.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr bfloat, ptr %a.p, i64 %i
  %a = load bfloat, ptr %a.at
  %b.at = getelementptr bfloat, ptr %b.p, i64 %i
  %b = load bfloat, ptr %b.at
  %sum = fadd bfloat %a, %b
  %difference = fsub bfloat %a, %b
  %product = fmul bfloat %a, %b
  %sum.at = getelementptr bfloat, ptr %sum.p, i64 %i
  store bfloat %sum, ptr %sum.at
  %difference.at = getelementptr bfloat, ptr %difference.p, i64 %i
  store bfloat %difference, ptr %difference.at
  %product.at = getelementptr bfloat, ptr %product.p, i64 %i
  store bfloat %product, ptr %product.at
  ret void
}
