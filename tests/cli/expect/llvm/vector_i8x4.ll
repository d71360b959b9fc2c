; Four bytes in a register: arithmetic, shuffled, one replaced.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i8[24] = random 21
; wedjat: in b: i8[24] = random 22
; wedjat: out y: i8[24]
; wedjat: out z: i8[24]
; host y i8
; host z i8
; wedjat: expect y[0..7]: i8 = 3 78 -47 51 93 -20 63 60
; wedjat: expect y[8..15]: i8 = 66 68 3 -89 -34 -42 69 -81
; wedjat: expect y[16..23]: i8 = 99 7 -14 -41 -25 -14 115 -102
; wedjat: expect z[0..7]: i8 = 10 78 -57 66 86 -20 -113 -116
; wedjat: expect z[8..15]: i8 = 5 68 91 -127 24 -42 16 -50
; wedjat: expect z[16..23]: i8 = 2 7 -16 -24 77 -14 -9 -117

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a, ptr %b, ptr %y, ptr %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr <4 x i8>, ptr %a, i64 %i
  %b.at = getelementptr <4 x i8>, ptr %b, i64 %i
  %y.at = getelementptr <4 x i8>, ptr %y, i64 %i
  %z.at = getelementptr <4 x i8>, ptr %z, i64 %i
  %v = load <4 x i8>, ptr %a.at
  %w = load <4 x i8>, ptr %b.at
  %s = add <4 x i8> %v, %w
  %m = shufflevector <4 x i8> %s, <4 x i8> %w, <4 x i32> <i32 3, i32 5, i32 0, i32 6>
  store <4 x i8> %m, ptr %y.at
  %t.4 = and i32 %t, 3
  %e = extractelement <4 x i8> %v, i32 %t.4
  %n = insertelement <4 x i8> %w, i8 %e, i32 2
  store <4 x i8> %n, ptr %z.at
  ret void
}
