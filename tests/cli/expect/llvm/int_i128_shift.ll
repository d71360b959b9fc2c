; Integers of 128 bits shift by any amount below 128.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=12
; wedjat: in a: b128[12] = random 8
; wedjat: in n: i32 = 0 1 31 32 33 63 64 65 95 96 127 100
; wedjat: out left: b128[12]
; wedjat: out right: b128[12]
; wedjat: out arithmetic: b128[12]
; host left b128
; host right b128
; host arithmetic b128
; wedjat: expect left[0..7]: b128 = 0x9ca8a164477d78019e5651b0ef953636 0x127d6fb61bbb7b6960c8749c2bccfc02 0x2b456008082b2efeb1c3a26500000000 0xc867209af4423394edb5d62b00000000 0xe41ef0d82904dea8fe17700600000000 0x5023375c076f57b98000000000000000 0x70ee8c6da16e872d0000000000000000 0x5e38bc14d1317fcc0000000000000000
; wedjat: expect left[8..11]: b128 = 0x96e27986800000000000000000000000 0x400a89e8000000000000000000000000 0x00000000000000000000000000000000 0x742c2090000000000000000000000000
; wedjat: expect right[0..7]: b128 = 0x9ca8a164477d78019e5651b0ef953636 0x449f5bed86eededa58321d270af33f00 0x00000000bfeec810ad15802020acbbfa 0x000000005b5f326dc867209af4423394 0x0000000037e92e337907bc360a4137aa 0x00000000000000017a6ef08351b37ec9 0x000000000000000031f63082e80e3a66 0x00000000000000004af1395d1cf26e0a
; wedjat: expect right[8..11]: b128 = 0x0000000000000000000000001de31802 0x000000000000000000000000639ad55c 0x00000000000000000000000000000000 0x000000000000000000000000066dd5c8
; wedjat: expect arithmetic[0..7]: b128 = 0x9ca8a164477d78019e5651b0ef953636 0xc49f5bed86eededa58321d270af33f00 0x00000000bfeec810ad15802020acbbfa 0x000000005b5f326dc867209af4423394 0x0000000037e92e337907bc360a4137aa 0xffffffffffffffff7a6ef08351b37ec9 0x000000000000000031f63082e80e3a66 0xffffffffffffffffcaf1395d1cf26e0a
; wedjat: expect arithmetic[8..11]: b128 = 0x0000000000000000000000001de31802 0x000000000000000000000000639ad55c 0x00000000000000000000000000000000 0x000000000000000000000000066dd5c8

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %n.p, ptr %left.p, ptr %right.p, ptr %arithmetic.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i128, ptr %a.p, i64 %i
  %a = load i128, ptr %a.at
  %n.at = getelementptr i32, ptr %n.p, i64 %i
  %n = load i32, ptr %n.at
  %w = zext i32 %n to i128
  %left = shl i128 %a, %w
  %right = lshr i128 %a, %w
  %arithmetic = ashr i128 %a, %w
  %left.at = getelementptr i128, ptr %left.p, i64 %i
  store i128 %left, ptr %left.at
  %right.at = getelementptr i128, ptr %right.p, i64 %i
  store i128 %right, ptr %right.at
  %arithmetic.at = getelementptr i128, ptr %arithmetic.p, i64 %i
  store i128 %arithmetic, ptr %arithmetic.at
  ret void
}
