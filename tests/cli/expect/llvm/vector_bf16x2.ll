; Two bfloat16 at once.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=3
; wedjat: in a: b32 = 0x40403f80 0xc0400000 0x3dcd4049
; wedjat: in b: b32 = 0x3f003f80 0x40400000 0x3e4d4049
; wedjat: out y: b32[3]
; wedjat: out z: b32[3]
; wedjat: out w: b32[3]
; host y b32
; host z b32
; host w b32
; wedjat: expect y[0..2]: b32 = 0x40604000 0x00000000 0x3e9a40c9
; wedjat: expect z[0..2]: b32 = 0x3fc03f80 0xc1100000 0x3ca4411e
; wedjat: expect w[0..2]: b32 = 0x40200000 0xc0c00000 0xbdcd0000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p, ptr %w.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %v = bitcast i32 %a to <2 x bfloat>
  %u = bitcast i32 %b to <2 x bfloat>
  %s = fadd <2 x bfloat> %v, %u
  %p = fmul <2 x bfloat> %v, %u
  %d = fsub <2 x bfloat> %v, %u
  %y = bitcast <2 x bfloat> %s to i32
  %z = bitcast <2 x bfloat> %p to i32
  %w = bitcast <2 x bfloat> %d to i32
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  %z.at = getelementptr i32, ptr %z.p, i64 %i
  store i32 %z, ptr %z.at
  %w.at = getelementptr i32, ptr %w.p, i64 %i
  store i32 %w, ptr %w.at
  ret void
}
