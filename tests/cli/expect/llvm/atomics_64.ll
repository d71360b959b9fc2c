; Atomics of 64 bits, and sums of f32 and f64 that are exact in every order.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=50
; wedjat: inout y: u64 = 10 0
; wedjat: inout f: f32 = 0.5
; wedjat: inout d: f64 = 0.25
; wedjat: in v: u64[50] = random 42
; host y u64
; host f f32
; host d f64
; wedjat: expect y[0..1]: u64 = 15535660330631054234 17881743139202436335
; wedjat: expect f[0..0]: f32 = 0x44993000
; wedjat: expect d[0..0]: f64 = 0x4093250000000000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %y, ptr %f, ptr %d, ptr %v) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %v.at = getelementptr i64, ptr %v, i64 %i
  %x = load i64, ptr %v.at
  %y1 = getelementptr i64, ptr %y, i64 1
  %o0 = atomicrmw add ptr %y, i64 %x monotonic
  %o1 = atomicrmw umax ptr %y1, i64 %x monotonic
  %s = uitofp i32 %t to float
  %w = fpext float %s to double
  %o2 = atomicrmw fadd ptr %f, float %s monotonic
  %o3 = atomicrmw fadd ptr %d, double %w monotonic
  ret void
}
