; Integers of 128 bits: carries and products.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: b128[8] = random 6
; wedjat: in b: b128[8] = random 7
; wedjat: out sum: b128[8]
; wedjat: out difference: b128[8]
; wedjat: out product: b128[8]
; host sum b128
; host difference b128
; host product b128
; wedjat: expect sum[0..7]: b128 = 0x768dda8a2d8e45b6213087be0721edd7 0xb03f8383550f045bf504bd842d5b5948 0x12b7f665a2d5d48200d0ac3142733101 0x87de53f4926e294ea91b545d03057c8a 0x526725402b96c267408bfb72fc3b05bc 0x753c93a06eccc98d3a5d3f4aaa056a4c 0xc240ef7ffd07c50a1de8f357a30abc22 0x950b61f3cd4090a345fbd6c4ac19179d
; wedjat: expect difference[0..7]: b128 = 0x6df560da4515797d5998c3f554bdd229 0x85c9aca28692b0c427d43c82b7f90544 0x930279580b58805f192a35646e36ed4d 0xdfe4a7521868ab51b983cb1a9b7fda9e 0x7edfe0531aa41b94fbce7a7dc99a36fa 0x89c7f6321d120335055770149e997476 0x0421bd36b704fca847e249990e7f5586 0x7c52411d976984b18b9ca06a955aebd1
; wedjat: expect product[0..7]: b128 = 0xc94bea7b59c1cca29b73356002d52000 0x8026a9b15b9c2fbfb0869bda5c7bda8c 0x91ad155c6bc4389abf3bcb671bf4ee36 0x65b36d6dd53225519c8147a7d7a12038 0x82f482a6fbf716ded898213dc00c9d7b 0x3aff971335b35b48774fb4c30c44f80b 0x5903c7006b0d619640e191117a58ec98 0xe99a7e9be4aa53edb4e2b7ae292a8d6a

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sum.p, ptr %difference.p, ptr %product.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i128, ptr %a.p, i64 %i
  %a = load i128, ptr %a.at
  %b.at = getelementptr i128, ptr %b.p, i64 %i
  %b = load i128, ptr %b.at
  %sum = add i128 %a, %b
  %difference = sub i128 %a, %b
  %product = mul i128 %a, %b
  %sum.at = getelementptr i128, ptr %sum.p, i64 %i
  store i128 %sum, ptr %sum.at
  %difference.at = getelementptr i128, ptr %difference.p, i64 %i
  store i128 %difference, ptr %difference.at
  %product.at = getelementptr i128, ptr %product.p, i64 %i
  store i128 %product, ptr %product.at
  ret void
}
