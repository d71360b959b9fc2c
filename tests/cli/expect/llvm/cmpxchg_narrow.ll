; Compare-and-exchange of a byte and of 16 bits, which leave their neighbours alone.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: inout y: u8 = 10 20 30 40
; wedjat: inout h: u16 = 1000 2000 3000 4000
; wedjat: out seen: i32[4]
; host y u8
; host h u16
; host seen i32
; wedjat: expect y[0..3]: u8 = 99 20 99 40
; wedjat: expect h[0..3]: u16 = 1000 2000 65535 4000
; wedjat: expect seen[0..3]: i32 = 266 20 798 40

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %y, ptr %h, ptr %seen) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %y.at = getelementptr i8, ptr %y, i64 %i
  %h.at = getelementptr i16, ptr %h, i64 %i
  %ten = mul i32 %t, 10
  %want32 = add i32 %ten, 10
  %low = and i32 %t, 1
  %wrong = add i32 %want32, %low
  %want = trunc i32 %wrong to i8
  %r = cmpxchg ptr %y.at, i8 %want, i8 99 monotonic monotonic
  %old = extractvalue { i8, i1 } %r, 0
  %ok = extractvalue { i8, i1 } %r, 1
  %q = cmpxchg ptr %h.at, i16 3000, i16 -1 monotonic monotonic
  %hok = extractvalue { i16, i1 } %q, 1
  %w = zext i8 %old to i32
  %s1 = select i1 %ok, i32 256, i32 0
  %s2 = select i1 %hok, i32 512, i32 0
  %w1 = or i32 %w, %s1
  %w2 = or i32 %w1, %s2
  %seen.at = getelementptr i32, ptr %seen, i64 %i
  store i32 %w2, ptr %seen.at
  ret void
}
