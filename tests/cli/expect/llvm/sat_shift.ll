; Shifts to the left that stay at the ends of their range.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=7
; wedjat: in a: i32 = 1 -1 1073741824 -1073741825 3 0 2147483647
; wedjat: in b: i32 = 31 31 1 1 30 31 0
; wedjat: out s: i32[7]
; wedjat: out u: i32[7]
; host s i32
; host u i32
; wedjat: expect s[0..6]: i32 = 2147483647 -2147483648 2147483647 -2147483648 2147483647 0 2147483647
; wedjat: expect u[0..6]: i32 = -2147483648 -1 -2147483648 -1 -1073741824 0 2147483647

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.sshl.sat.i32(i32, i32)
declare i32 @llvm.ushl.sat.i32(i32, i32)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %s.p, ptr %u.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %s = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %b)
  %u = call i32 @llvm.ushl.sat.i32(i32 %a, i32 %b)
  %s.at = getelementptr i32, ptr %s.p, i64 %i
  store i32 %s, ptr %s.at
  %u.at = getelementptr i32, ptr %u.p, i64 %i
  store i32 %u, ptr %u.at
  ret void
}
