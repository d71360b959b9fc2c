; The same of f64.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=9
; wedjat: in a: f64 = 1.5 -2.25 1e300 1e-310 0.1 9007199254740992 -0.0 1 2
; wedjat: in b: f64 = 0.75 3 1e10 1e-5 0.2 1 1.0 3 -7
; wedjat: out sum: f64[9]
; wedjat: out difference: f64[9]
; wedjat: out product: f64[9]
; wedjat: out quotient: f64[9]
; host sum f64
; host difference f64
; host product f64
; host quotient f64
; wedjat: expect sum[0..7]: f64 = 0x4002000000000000 0x3fe8000000000000 0x7e37e43c8800759c 0x3ee4f8b588e368f1 0x3fd3333333333334 0x4340000000000000 0x3ff0000000000000 0x4010000000000000
; wedjat: expect sum[8..8]: f64 = 0xc014000000000000
; wedjat: expect difference[0..7]: f64 = 0x3fe8000000000000 0xc015000000000000 0x7e37e43c8800759c 0xbee4f8b588e368f1 0xbfb999999999999a 0x433fffffffffffff 0xbff0000000000000 0xc000000000000000
; wedjat: expect difference[8..8]: f64 = 0x4022000000000000
; wedjat: expect product[0..7]: f64 = 0x3ff2000000000000 0xc01b000000000000 0x7ff0000000000000 0x000000000c1069cd 0x3f947ae147ae147c 0x4340000000000000 0x8000000000000000 0x4008000000000000
; wedjat: expect product[8..8]: f64 = 0xc02c000000000000
; wedjat: expect quotient[0..7]: f64 = 0x4000000000000000 0xbfe8000000000000 0x7c2485ce9e7a065f 0x009c16c5c525355c 0x3fe0000000000000 0x4340000000000000 0x8000000000000000 0x3fd5555555555555
; wedjat: expect quotient[8..8]: f64 = 0xbfd2492492492492

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %sum.p, ptr %difference.p, ptr %product.p, ptr %quotient.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr double, ptr %a.p, i64 %i
  %a = load double, ptr %a.at
  %b.at = getelementptr double, ptr %b.p, i64 %i
  %b = load double, ptr %b.at
  %sum = fadd double %a, %b
  %difference = fsub double %a, %b
  %product = fmul double %a, %b
  %quotient = fdiv double %a, %b
  %sum.at = getelementptr double, ptr %sum.p, i64 %i
  store double %sum, ptr %sum.at
  %difference.at = getelementptr double, ptr %difference.p, i64 %i
  store double %difference, ptr %difference.at
  %product.at = getelementptr double, ptr %product.p, i64 %i
  store double %product, ptr %product.at
  %quotient.at = getelementptr double, ptr %quotient.p, i64 %i
  store double %quotient, ptr %quotient.at
  ret void
}
