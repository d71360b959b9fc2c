; Sums and maxima of bytes and of 16 bits, several in one word.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=33
; wedjat: inout y: u8 = 1 2 3 4
; wedjat: inout h: u16 = 65000 5
; host y u8
; host h u16
; wedjat: expect y[0..3]: u8 = 145 122 131 140
; wedjat: expect h[0..1]: u16 = 20408 19717

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %y, ptr %h) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %which = and i64 %i, 3
  %half = and i64 %i, 1
  %y.at = getelementptr i8, ptr %y, i64 %which
  %h.at = getelementptr i16, ptr %h, i64 %half
  %v = trunc i32 %t to i8
  %w = trunc i32 %t to i16
  %big = mul i16 %w, 77
  %o0 = atomicrmw add ptr %y.at, i8 %v monotonic
  %o1 = atomicrmw add ptr %h.at, i16 %big monotonic
  ret void
}
