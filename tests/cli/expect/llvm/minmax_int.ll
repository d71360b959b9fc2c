; Minima, maxima and magnitudes; that of the least integer is itself.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i32 = 1 -1 -2147483648 2147483647 0 -5
; wedjat: in b: i32 = -1 1 2147483647 -2147483648 0 -4
; wedjat: out smin: i32[6]
; wedjat: out smax: i32[6]
; wedjat: out umin: i32[6]
; wedjat: out umax: i32[6]
; wedjat: out abs: i32[6]
; host smin i32
; host smax i32
; host umin i32
; host umax i32
; host abs i32
; wedjat: expect smin[0..5]: i32 = -1 -1 -2147483648 -2147483648 0 -5
; wedjat: expect smax[0..5]: i32 = 1 1 2147483647 2147483647 0 -4
; wedjat: expect umin[0..5]: i32 = 1 1 2147483647 2147483647 0 -5
; wedjat: expect umax[0..5]: i32 = -1 -1 -2147483648 -2147483648 0 -4
; wedjat: expect abs[0..5]: i32 = 1 1 -2147483648 2147483647 0 5

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %smin.p, ptr %smax.p, ptr %umin.p, ptr %umax.p, ptr %abs.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %smin = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %smax = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %umin = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %umax = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %abs = call i32 @llvm.abs.i32(i32 %a, i1 false)
  %smin.at = getelementptr i32, ptr %smin.p, i64 %i
  store i32 %smin, ptr %smin.at
  %smax.at = getelementptr i32, ptr %smax.p, i64 %i
  store i32 %smax, ptr %smax.at
  %umin.at = getelementptr i32, ptr %umin.p, i64 %i
  store i32 %umin, ptr %umin.at
  %umax.at = getelementptr i32, ptr %umax.p, i64 %i
  store i32 %umax, ptr %umax.at
  %abs.at = getelementptr i32, ptr %abs.p, i64 %i
  store i32 %abs, ptr %abs.at
  ret void
}
