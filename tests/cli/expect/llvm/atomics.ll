; Atomics of two CTAs at the same words, whose results no order changes.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k grid=2 block=40
; wedjat: inout y: u32 = 0 0xffffffff 5 100 7 0xffffffff 0
; wedjat: in v: u32[80] = random 41
; host y u32
; wedjat: expect y[0..6]: u32 = 2327912975 0 4294967295 1967054421 1836045008 31858248 2133491239

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @k(ptr %y, ptr %v) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c40 = mul i32 %c, 40
  %n = add i32 %c40, %t
  %n64 = zext i32 %n to i64
  %v.at = getelementptr i32, ptr %v, i64 %n64
  %x = load i32, ptr %v.at
  %y1 = getelementptr i32, ptr %y, i64 1
  %y2 = getelementptr i32, ptr %y, i64 2
  %y3 = getelementptr i32, ptr %y, i64 3
  %y4 = getelementptr i32, ptr %y, i64 4
  %y5 = getelementptr i32, ptr %y, i64 5
  %y6 = getelementptr i32, ptr %y, i64 6
  %o0 = atomicrmw add ptr %y, i32 %x seq_cst
  %o1 = atomicrmw and ptr %y1, i32 %x monotonic
  %o2 = atomicrmw or ptr %y2, i32 %x monotonic
  %o3 = atomicrmw sub ptr %y3, i32 %x acquire
  %o4 = atomicrmw xor ptr %y4, i32 %x release
  %o5 = atomicrmw umin ptr %y5, i32 %x monotonic
  %o6 = atomicrmw max ptr %y6, i32 %x acq_rel
  ret void
}
