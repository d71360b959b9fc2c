; Arithmetic that also says whether it overflowed.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i32 = 2147483647 -2147483648 65536 -65536 3 -1
; wedjat: in b: i32 = 1 -1 65536 32768 4 -1
; wedjat: out y: i32[6]
; wedjat: out z: i32[6]
; host y i32
; host z i32
; wedjat: expect y[0..5]: i32 = 2147483647 -2147483648 0 -2147483648 12 1
; wedjat: expect z[0..5]: i32 = 1 15 12 8 0 10

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)
declare {i32, i1} @llvm.uadd.with.overflow.i32(i32, i32)
declare {i32, i1} @llvm.smul.with.overflow.i32(i32, i32)
declare {i32, i1} @llvm.umul.with.overflow.i32(i32, i32)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %s = call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %u = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %m = call {i32, i1} @llvm.smul.with.overflow.i32(i32 %a, i32 %b)
  %n = call {i32, i1} @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %y = extractvalue {i32, i1} %m, 0
  %o1 = extractvalue {i32, i1} %s, 1
  %o2 = extractvalue {i32, i1} %u, 1
  %o3 = extractvalue {i32, i1} %m, 1
  %o4 = extractvalue {i32, i1} %n, 1
  %w1 = zext i1 %o1 to i32
  %w2 = select i1 %o2, i32 2, i32 0
  %w3 = select i1 %o3, i32 4, i32 0
  %w4 = select i1 %o4, i32 8, i32 0
  %x1 = or i32 %w1, %w2
  %x2 = or i32 %w3, %w4
  %z = or i32 %x1, %x2
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  %z.at = getelementptr i32, ptr %z.p, i64 %i
  store i32 %z, ptr %z.at
  ret void
}
