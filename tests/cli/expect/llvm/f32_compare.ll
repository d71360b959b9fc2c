; All fourteen comparisons, bit by bit, also of NaNs and of 0 with -0.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=9
; wedjat: in a: f32 = 1 2 1 0.0 0x7fc00000 1 0x7fc00000 inf -inf
; wedjat: in b: f32 = 2 1 1 -0.0 1 0x7fc00000 0x7fc00000 inf inf
; wedjat: out y: b32[9]
; host y b32
; wedjat: expect y[0..7]: b32 = 0x00001c78 0x00001366 0x00000ad5 0x00000ad5 0x00003f80 0x00003f80 0x00003f80 0x00000ad5
; wedjat: expect y[8..8]: b32 = 0x00001c78

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr float, ptr %b.p, i64 %i
  %b = load float, ptr %b.at
  %c0 = fcmp oeq float %a, %b
  %s0 = select i1 %c0, i32 1, i32 0
  %c1 = fcmp ogt float %a, %b
  %s1 = select i1 %c1, i32 2, i32 0
  %o1 = or i32 %s0, %s1
  %c2 = fcmp oge float %a, %b
  %s2 = select i1 %c2, i32 4, i32 0
  %o2 = or i32 %o1, %s2
  %c3 = fcmp olt float %a, %b
  %s3 = select i1 %c3, i32 8, i32 0
  %o3 = or i32 %o2, %s3
  %c4 = fcmp ole float %a, %b
  %s4 = select i1 %c4, i32 16, i32 0
  %o4 = or i32 %o3, %s4
  %c5 = fcmp one float %a, %b
  %s5 = select i1 %c5, i32 32, i32 0
  %o5 = or i32 %o4, %s5
  %c6 = fcmp ord float %a, %b
  %s6 = select i1 %c6, i32 64, i32 0
  %o6 = or i32 %o5, %s6
  %c7 = fcmp ueq float %a, %b
  %s7 = select i1 %c7, i32 128, i32 0
  %o7 = or i32 %o6, %s7
  %c8 = fcmp ugt float %a, %b
  %s8 = select i1 %c8, i32 256, i32 0
  %o8 = or i32 %o7, %s8
  %c9 = fcmp uge float %a, %b
  %s9 = select i1 %c9, i32 512, i32 0
  %o9 = or i32 %o8, %s9
  %c10 = fcmp ult float %a, %b
  %s10 = select i1 %c10, i32 1024, i32 0
  %o10 = or i32 %o9, %s10
  %c11 = fcmp ule float %a, %b
  %s11 = select i1 %c11, i32 2048, i32 0
  %o11 = or i32 %o10, %s11
  %c12 = fcmp une float %a, %b
  %s12 = select i1 %c12, i32 4096, i32 0
  %o12 = or i32 %o11, %s12
  %c13 = fcmp uno float %a, %b
  %s13 = select i1 %c13, i32 8192, i32 0
  %o13 = or i32 %o12, %s13
  %y = add i32 %o13, 0
  %y.at = getelementptr i32, ptr %y.p, i64 %i
  store i32 %y, ptr %y.at
  ret void
}
