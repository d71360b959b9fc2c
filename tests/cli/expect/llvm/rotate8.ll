; Rotations of bytes and of 16 bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=20
; wedjat: in a: i8[20] = range -128 step 31
; wedjat: in h: i16[20] = random 13
; wedjat: in n: i8[20] = range 0
; wedjat: out y: i8[20]
; wedjat: out z: i16[20]
; host y i8
; host z i16
; wedjat: expect y[0..7]: i8 = -128 63 -6 -18 -49 99 -114 -84
; wedjat: expect y[8..15]: i8 = 120 47 -38 -82 79 98 -116 -88
; wedjat: expect y[16..19]: i8 = 112 31 -70 110
; wedjat: expect z[0..7]: i16 = -29953 -12232 15666 26382 16246 9905 24394 -22212
; wedjat: expect z[8..15]: i16 = 16822 -30774 21091 -18036 -20183 20141 26147 23413
; wedjat: expect z[16..19]: i16 = 17344 8641 12649 -17473

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i16 @llvm.fshr.i16(i16, i16, i16)

define ptx_kernel void @k(ptr %a.p, ptr %h.p, ptr %n.p, ptr %y.p, ptr %z.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i8, ptr %a.p, i64 %i
  %a = load i8, ptr %a.at
  %h.at = getelementptr i16, ptr %h.p, i64 %i
  %h = load i16, ptr %h.at
  %n.at = getelementptr i8, ptr %n.p, i64 %i
  %n = load i8, ptr %n.at
  %y = call i8 @llvm.fshl.i8(i8 %a, i8 %a, i8 %n)
  %w = zext i8 %n to i16
  %z = call i16 @llvm.fshr.i16(i16 %h, i16 %h, i16 %w)
  %y.at = getelementptr i8, ptr %y.p, i64 %i
  store i8 %y, ptr %y.at
  %z.at = getelementptr i16, ptr %z.p, i64 %i
  store i16 %z, ptr %z.at
  ret void
}
