; The same of bytes, which have no instruction of their own.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i8 = 127 -128 1 -1 100 -100 0 5
; wedjat: in b: i8 = 1 -1 -1 1 100 100 -128 7
; wedjat: out sadd: i8[8]
; wedjat: out uadd: i8[8]
; wedjat: out ssub: i8[8]
; wedjat: out usub: i8[8]
; host sadd i8
; host uadd i8
; host ssub i8
; host usub i8
; wedjat: expect sadd[0..7]: i8 = 127 -128 0 0 127 0 -128 12
; wedjat: expect uadd[0..7]: i8 = -128 -1 -1 -1 -56 -1 -128 12
; wedjat: expect ssub[0..7]: i8 = 126 -127 2 -2 0 -128 127 -2
; wedjat: expect usub[0..7]: i8 = 126 0 0 -2 0 56 0 0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare i8 @llvm.ssub.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sadd.p, ptr %uadd.p, ptr %ssub.p, ptr %usub.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i8, ptr %a.p, i64 %i
  %a = load i8, ptr %a.at
  %b.at = getelementptr i8, ptr %b.p, i64 %i
  %b = load i8, ptr %b.at
  %sadd = call i8 @llvm.sadd.sat.i8(i8 %a, i8 %b)
  %uadd = call i8 @llvm.uadd.sat.i8(i8 %a, i8 %b)
  %ssub = call i8 @llvm.ssub.sat.i8(i8 %a, i8 %b)
  %usub = call i8 @llvm.usub.sat.i8(i8 %a, i8 %b)
  %sadd.at = getelementptr i8, ptr %sadd.p, i64 %i
  store i8 %sadd, ptr %sadd.at
  %uadd.at = getelementptr i8, ptr %uadd.p, i64 %i
  store i8 %uadd, ptr %uadd.at
  %ssub.at = getelementptr i8, ptr %ssub.p, i64 %i
  store i8 %ssub, ptr %ssub.at
  %usub.at = getelementptr i8, ptr %usub.p, i64 %i
  store i8 %usub, ptr %usub.at
  ret void
}
