; Rounding to integers: down, up, towards zero, to nearest even; -0 stays.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=12
; wedjat: in a: f64 = 0.5 -0.5 1.5 2.5 -2.5 -0.0 0.49999997 8388609 1e30 -1.7 inf 3.0000002
; wedjat: out floor: f64[12]
; wedjat: out ceil: f64[12]
; wedjat: out trunc: f64[12]
; wedjat: out rint: f64[12]
; wedjat: out roundeven: f64[12]
; host floor f64
; host ceil f64
; host trunc f64
; host rint f64
; host roundeven f64
; wedjat: expect floor[0..7]: f64 = 0x0000000000000000 0xbff0000000000000 0x3ff0000000000000 0x4000000000000000 0xc008000000000000 0x8000000000000000 0x0000000000000000 0x4160000020000000
; wedjat: expect floor[8..11]: f64 = 0x46293e5939a08cea 0xc000000000000000 0x7ff0000000000000 0x4008000000000000
; wedjat: expect ceil[0..7]: f64 = 0x3ff0000000000000 0x8000000000000000 0x4000000000000000 0x4008000000000000 0xc000000000000000 0x8000000000000000 0x3ff0000000000000 0x4160000020000000
; wedjat: expect ceil[8..11]: f64 = 0x46293e5939a08cea 0xbff0000000000000 0x7ff0000000000000 0x4010000000000000
; wedjat: expect trunc[0..7]: f64 = 0x0000000000000000 0x8000000000000000 0x3ff0000000000000 0x4000000000000000 0xc000000000000000 0x8000000000000000 0x0000000000000000 0x4160000020000000
; wedjat: expect trunc[8..11]: f64 = 0x46293e5939a08cea 0xbff0000000000000 0x7ff0000000000000 0x4008000000000000
; wedjat: expect rint[0..7]: f64 = 0x0000000000000000 0x8000000000000000 0x4000000000000000 0x4000000000000000 0xc000000000000000 0x8000000000000000 0x0000000000000000 0x4160000020000000
; wedjat: expect rint[8..11]: f64 = 0x46293e5939a08cea 0xc000000000000000 0x7ff0000000000000 0x4008000000000000
; wedjat: expect roundeven[0..7]: f64 = 0x0000000000000000 0x8000000000000000 0x4000000000000000 0x4000000000000000 0xc000000000000000 0x8000000000000000 0x0000000000000000 0x4160000020000000
; wedjat: expect roundeven[8..11]: f64 = 0x46293e5939a08cea 0xc000000000000000 0x7ff0000000000000 0x4008000000000000

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare double @llvm.floor.f64(double)
declare double @llvm.ceil.f64(double)
declare double @llvm.trunc.f64(double)
declare double @llvm.rint.f64(double)
declare double @llvm.roundeven.f64(double)

define ptx_kernel void @k(ptr %a.p, ptr %floor.p, ptr %ceil.p, ptr %trunc.p, ptr %rint.p, ptr %roundeven.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %floor = call double @llvm.floor.f64(double %a)
  %ceil = call double @llvm.ceil.f64(double %a)
  %trunc = call double @llvm.trunc.f64(double %a)
  %rint = call double @llvm.rint.f64(double %a)
  %roundeven = call double @llvm.roundeven.f64(double %a)
  %floor.at = getelementptr double, ptr %floor.p, i64 %i
  store double %floor, ptr %floor.at
  %ceil.at = getelementptr double, ptr %ceil.p, i64 %i
  store double %ceil, ptr %ceil.at
  %trunc.at = getelementptr double, ptr %trunc.p, i64 %i
  store double %trunc, ptr %trunc.at
  %rint.at = getelementptr double, ptr %rint.p, i64 %i
  store double %rint, ptr %rint.at
  %roundeven.at = getelementptr double, ptr %roundeven.p, i64 %i
  store double %roundeven, ptr %roundeven.at
  ret void
}
