; Structs by value: an argument that lies in memory, and a result.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: i32 = 1 2 3 4
; wedjat: out y: i64[8]
; host y i64
; wedjat: expect y[0..7]: i64 = 101 1 102 2 103 3 104 4

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

%pair = type { i32, i64 }
define internal %pair @turned(ptr byval(%pair) %p, i32 %n) noinline {
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  %first = load i32, ptr %p
  %second = load i64, ptr %q
  %low = trunc i64 %second to i32
  %sum = add i32 %low, %n
  %wide = sext i32 %first to i64
  %r1 = insertvalue %pair undef, i32 %sum, 0
  %r2 = insertvalue %pair %r1, i64 %wide, 1
  ret %pair %r2
}
define ptx_kernel void @k(ptr %a, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = alloca %pair
  %a.at = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %a.at
  store i32 %v, ptr %p
  %q = getelementptr %pair, ptr %p, i32 0, i32 1
  store i64 100, ptr %q
  %r = call %pair @turned(ptr byval(%pair) %p, i32 %v)
  %first = extractvalue %pair %r, 0
  %second = extractvalue %pair %r, 1
  %y.at = getelementptr [2 x i64], ptr %y, i64 %i
  %wide = sext i32 %first to i64
  store i64 %wide, ptr %y.at
  %y.next = getelementptr i64, ptr %y.at, i64 1
  store i64 %second, ptr %y.next
  ret void
}
