; Integers of 128 bits become floats.
; XFAIL: *
; llc-19 aborts: "Undefined external symbol".
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=3
; wedjat: in a: b128[3] = random 77
; wedjat: out y: f32[3]
; host y f32
; wedjat: expect y[0..2]: f32 = 0x7efca949 0x7e49aec0 0x7ed57977

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i128, ptr %a.p, i64 %i
  %a = load i128, ptr %a.at
  %y = sitofp i128 %a to float
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  ret void
}
