; Floats become integers towards zero.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: f32 = 0.0 -0.0 1.9 -1.9 100.5 -127.9 32000.7 -5e-1
; wedjat: in b: f64 = 0.0 1.99 -1.99 4294967295.5 -2147483648.9 9e15 -9e15 123.456
; wedjat: out s8: i8[8]
; wedjat: out s32: i32[8]
; wedjat: out s64: i64[8]
; wedjat: out w: i64[8]
; host s8 i8
; host s32 i32
; host s64 i64
; host w i64
; wedjat: expect s8[0..7]: i8 = 0 0 1 -1 100 -127 0 0
; wedjat: expect s32[0..7]: i32 = 0 0 1 -1 100 -127 32000 0
; wedjat: expect s64[0..7]: i64 = 0 1 -1 4294967295 -2147483648 9000000000000000 -9000000000000000 123
; wedjat: expect w[0..7]: i64 = 0 1 1 4294967295 2147483648 9000000000000000 9000000000000000 123

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.fabs.f64(double)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %s8.p, ptr %s32.p, ptr %s64.p, ptr %w.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr float, ptr %a.p, i64 %i
  %a = load float, ptr %a.at
  %b.at = getelementptr double, ptr %b.p, i64 %i
  %b = load double, ptr %b.at
  %s8 = fptosi float %a to i8
  %s32 = fptosi float %a to i32
  %s64 = fptosi double %b to i64
  %v = call double @llvm.fabs.f64(double %b)
  %w = fptoui double %v to i64
  %s8.at = getelementptr i8, ptr %s8.p, i64 %i
  store i8 %s8, ptr %s8.at
  %s32.at = getelementptr i32, ptr %s32.p, i64 %i
  store i32 %s32, ptr %s32.at
  %s64.at = getelementptr i64, ptr %s64.p, i64 %i
  store i64 %s64, ptr %s64.at
  %w.at = getelementptr i64, ptr %w.p, i64 %i
  store i64 %w, ptr %w.at
  ret void
}
