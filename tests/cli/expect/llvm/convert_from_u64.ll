; Unsigned integers of 64 bits become f32 and f64, rounded once.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=5
; wedjat: in a: i64 = 9223372036854775807 -1 -9223371487098961919 4611686293305294849 16777217
; wedjat: out y: f32[5]
; wedjat: out z: f64[5]
; host y f32
; host z f64
; wedjat: expect y[0..4]: f32 = 0x5f000000 0x5f800000 0x5f000001 0x5e800001 0x4b800000
; wedjat: expect z[0..4]: f64 = 0x43e0000000000000 0x43f0000000000000 0x43e0000010000000 0x43d0000010000000 0x4170000010000000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %y.p, ptr %z.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i64, ptr %a.p, i64 %i
  %a = load i64, ptr %a.at
  %y = uitofp i64 %a to float
  %z = uitofp i64 %a to double
  %y.at = getelementptr float, ptr %y.p, i64 %i
  store float %y, ptr %y.at
  %z.at = getelementptr double, ptr %z.p, i64 %i
  store double %z, ptr %z.at
  ret void
}
