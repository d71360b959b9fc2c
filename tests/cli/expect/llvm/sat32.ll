; Sums and differences that stay at the ends of their range.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i32 = 2147483647 -2147483648 1 -1 2000000000 -2000000000 0 5
; wedjat: in b: i32 = 1 -1 -1 1 2000000000 2000000000 -2147483648 7
; wedjat: out sadd: i32[8]
; wedjat: out uadd: i32[8]
; wedjat: out ssub: i32[8]
; wedjat: out usub: i32[8]
; host sadd i32
; host uadd i32
; host ssub i32
; host usub i32
; wedjat: expect sadd[0..7]: i32 = 2147483647 -2147483648 0 0 2147483647 0 -2147483648 12
; wedjat: expect uadd[0..7]: i32 = -2147483648 -1 -1 -1 -294967296 -1 -2147483648 12
; wedjat: expect ssub[0..7]: i32 = 2147483646 -2147483647 2 -2 0 -2147483648 2147483647 -2
; wedjat: expect usub[0..7]: i32 = 2147483646 0 0 -2 0 294967296 0 0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare i32 @llvm.uadd.sat.i32(i32, i32)
declare i32 @llvm.ssub.sat.i32(i32, i32)
declare i32 @llvm.usub.sat.i32(i32, i32)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sadd.p, ptr %uadd.p, ptr %ssub.p, ptr %usub.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %sadd = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  %uadd = call i32 @llvm.uadd.sat.i32(i32 %a, i32 %b)
  %ssub = call i32 @llvm.ssub.sat.i32(i32 %a, i32 %b)
  %usub = call i32 @llvm.usub.sat.i32(i32 %a, i32 %b)
  %sadd.at = getelementptr i32, ptr %sadd.p, i64 %i
  store i32 %sadd, ptr %sadd.at
  %uadd.at = getelementptr i32, ptr %uadd.p, i64 %i
  store i32 %uadd, ptr %uadd.at
  %ssub.at = getelementptr i32, ptr %ssub.p, i64 %i
  store i32 %ssub, ptr %ssub.at
  %usub.at = getelementptr i32, ptr %usub.p, i64 %i
  store i32 %usub, ptr %usub.at
  ret void
}
