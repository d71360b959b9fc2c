; Truth values: logic, and as integers with and without sign.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i8[8] = pattern 0 1
; wedjat: in b: i8[8] = pattern 0 0 1 1
; wedjat: out y: i32[8]
; wedjat: out z: i32[8]
; host y i32
; host z i32
; wedjat: expect y[0..7]: i32 = 0 6 2 3 0 6 2 3
; wedjat: expect z[0..7]: i32 = 0 1 1 0 0 1 1 0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i8, ptr %a.p, i64 %i
  %a = load i8, ptr %a.at
  %b.at = getelementptr i8, ptr %b.p, i64 %i
  %b = load i8, ptr %b.at
  %p = trunc i8 %a to i1
  %q = trunc i8 %b to i1
  %and = and i1 %p, %q
  %or = or i1 %p, %q
  %xor = xor i1 %p, %q
  %sum = add i1 %p, %q
  %less = icmp slt i1 %p, %q
  %w1 = zext i1 %and to i32
  %w2 = zext i1 %or to i32
  %w3 = sext i1 %xor to i32
  %w4 = sext i1 %sum to i32
  %w5 = zext i1 %less to i32
  %s1 = shl i32 %w2, 1
  %s5 = shl i32 %w5, 2
  %y1 = or i32 %w1, %s1
  %y = or i32 %y1, %s5
  %z = mul i32 %w3, %w4
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  %z.at = getelementptr i32, ptr %z.p, i64 %i
  store i32 %z, ptr %z.at
  ret void
}
