; Comparisons of 128 bits, with and without sign.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=5
; wedjat: in a: b128 = 0 -1 0x80000000000000000000000000000000 0xffffffffffffffff 5
; wedjat: in b: b128 = -1 0 0x7fffffffffffffffffffffffffffffff 0x10000000000000000 5
; wedjat: out y: i32[5]
; host y i32
; wedjat: expect y[0..4]: i32 = 2 5 5 7 12

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i128, ptr %a.p, i64 %i
  %a = load i128, ptr %a.at
  %b.at = getelementptr i128, ptr %b.p, i64 %i
  %b = load i128, ptr %b.at
  %lt = icmp slt i128 %a, %b
  %ult = icmp ult i128 %a, %b
  %le = icmp sle i128 %a, %b
  %eq = icmp eq i128 %a, %b
  %v1 = zext i1 %lt to i32
  %v2 = select i1 %ult, i32 2, i32 0
  %v3 = select i1 %le, i32 4, i32 0
  %v4 = select i1 %eq, i32 8, i32 0
  %w1 = or i32 %v1, %v2
  %w2 = or i32 %v3, %v4
  %y = or i32 %w1, %w2
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
