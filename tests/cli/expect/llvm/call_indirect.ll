; Functions that a table in memory names.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=9
; wedjat: in a: i32[9] = range 10
; wedjat: out y: i32[9]
; host y i32
; wedjat: expect y[0..7]: i32 = 20 121 -12 26 196 -15 32 289
; wedjat: expect y[8..8]: i32 = -18

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

@table = internal addrspace(1) constant [3 x ptr] [ptr @twice, ptr @square, ptr @negated]
define internal i32 @twice(i32 %x) {
  %r = shl i32 %x, 1
  ret i32 %r
}
define internal i32 @square(i32 %x) {
  %r = mul i32 %x, %x
  ret i32 %r
}
define internal i32 @negated(i32 %x) {
  %r = sub i32 0, %x
  ret i32 %r
}
define ptx_kernel void @k(ptr %a, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %which = urem i64 %i, 3
  %f.at = getelementptr [3 x ptr], ptr addrspace(1) @table, i64 0, i64 %which
  %f = load ptr, ptr addrspace(1) %f.at
  %a.at = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %a.at
  %r = call i32 %f(i32 %v)
  %y.at = getelementptr i32, ptr %y, i64 %i
  store i32 %r, ptr %y.at
  ret void
}
