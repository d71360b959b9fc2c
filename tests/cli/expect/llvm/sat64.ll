; The same of 64 bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=5
; wedjat: in a: i64 = 9223372036854775807 -9223372036854775808 1 -1 5
; wedjat: in b: i64 = 1 -1 -1 1 7
; wedjat: out sadd: i64[5]
; wedjat: out uadd: i64[5]
; wedjat: out ssub: i64[5]
; wedjat: out usub: i64[5]
; host sadd i64
; host uadd i64
; host ssub i64
; host usub i64
; wedjat: expect sadd[0..4]: i64 = 9223372036854775807 -9223372036854775808 0 0 12
; wedjat: expect uadd[0..4]: i64 = -9223372036854775808 -1 -1 -1 12
; wedjat: expect ssub[0..4]: i64 = 9223372036854775806 -9223372036854775807 2 -2 -2
; wedjat: expect usub[0..4]: i64 = 9223372036854775806 0 0 -2 0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i64 @llvm.usub.sat.i64(i64, i64)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sadd.p, ptr %uadd.p, ptr %ssub.p, ptr %usub.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i64, ptr %a.p, i64 %i
  %a = load i64, ptr %a.at
  %b.at = getelementptr i64, ptr %b.p, i64 %i
  %b = load i64, ptr %b.at
  %sadd = call i64 @llvm.sadd.sat.i64(i64 %a, i64 %b)
  %uadd = call i64 @llvm.uadd.sat.i64(i64 %a, i64 %b)
  %ssub = call i64 @llvm.ssub.sat.i64(i64 %a, i64 %b)
  %usub = call i64 @llvm.usub.sat.i64(i64 %a, i64 %b)
  %sadd.at = getelementptr i64, ptr %sadd.p, i64 %i
  store i64 %sadd, ptr %sadd.at
  %uadd.at = getelementptr i64, ptr %uadd.p, i64 %i
  store i64 %uadd, ptr %uadd.at
  %ssub.at = getelementptr i64, ptr %ssub.p, i64 %i
  store i64 %ssub, ptr %ssub.at
  %usub.at = getelementptr i64, ptr %usub.p, i64 %i
  store i64 %usub, ptr %usub.at
  ret void
}
