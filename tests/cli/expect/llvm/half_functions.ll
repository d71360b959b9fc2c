; Functions of halves: fma, minimum of two, compare and select, copysign.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: f16 = 1 -2 3.5 1000
; wedjat: in b: f16 = 2 5 0.5 0.001
; wedjat: in c: f16 = -2 10 -1.75 -1
; wedjat: out m: f16[4]
; wedjat: out l: f16[4]
; wedjat: out s: f16[4]
; wedjat: out c2: f16[4]
; host m f16
; host l f16
; host s f16
; host c2 f16
; wedjat: expect m[0..3]: f16 = 0x0000 0x0000 0x0000 0x0ea0
; wedjat: expect l[0..3]: f16 = 0x3c00 0xc000 0x3800 0x1419
; wedjat: expect s[0..3]: f16 = 0x3c00 0xc000 0xbf00 0xbc00
; wedjat: expect c2[0..3]: f16 = 0xbc00 0x4000 0xc300 0xe3d0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare half @llvm.fma.f16(half, half, half)
declare half @llvm.minnum.f16(half, half)
declare half @llvm.copysign.f16(half, half)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %c.p, ptr %m.p, ptr %l.p, ptr %s.p, ptr %c2.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr half, ptr %a.p, i64 %i
  %a = load half, ptr %a.at
  %b.at = getelementptr half, ptr %b.p, i64 %i
  %b = load half, ptr %b.at
  %c.at = getelementptr half, ptr %c.p, i64 %i
  %c = load half, ptr %c.at
  %m = call half @llvm.fma.f16(half %a, half %b, half %c)
  %l = call half @llvm.minnum.f16(half %a, half %b)
  %p = fcmp olt half %a, %b
  %s = select i1 %p, half %a, half %c
  %c2 = call half @llvm.copysign.f16(half %a, half %c)
  %m.at = getelementptr half, ptr %m.p, i64 %i
  store half %m, ptr %m.at
  %l.at = getelementptr half, ptr %l.p, i64 %i
  store half %l, ptr %l.at
  %s.at = getelementptr half, ptr %s.p, i64 %i
  store half %s, ptr %s.at
  %c2.at = getelementptr half, ptr %c2.p, i64 %i
  store half %c2, ptr %c2.at
  ret void
}
