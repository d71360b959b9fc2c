; bfloat16: fma rounds once, minima, maxima, quotients.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: bf16 = 1 2.5 -3 0x3dcd
; wedjat: in b: bf16 = 3 0.25 7 0x3e4d
; wedjat: in c: bf16 = 0x3b80 -1 0.5 0x3dcd
; wedjat: out y: bf16[4]
; wedjat: out l: bf16[4]
; wedjat: out h: bf16[4]
; wedjat: out q: bf16[4]
; host y bf16
; host l bf16
; host h bf16
; host q bf16
; wedjat: expect y[0..3]: bf16 = 0x4040 0xbec0 0xc1a4 0x3df6
; wedjat: expect l[0..3]: bf16 = 0x3f80 0x3e80 0xc040 0x3dcd
; wedjat: expect h[0..3]: bf16 = 0x4040 0x4020 0x40e0 0x3e4d
; wedjat: expect q[0..3]: bf16 = 0x3eab 0x4120 0xbedb 0x3f00

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
declare bfloat @llvm.minnum.bf16(bfloat, bfloat)
declare bfloat @llvm.maxnum.bf16(bfloat, bfloat)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %c.p, ptr %y.p, ptr %l.p, ptr %h.p, ptr %q.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr bfloat, ptr %a.p, i64 %i
  %a = load bfloat, ptr %a.at
  %b.at = getelementptr bfloat, ptr %b.p, i64 %i
  %b = load bfloat, ptr %b.at
  %c.at = getelementptr bfloat, ptr %c.p, i64 %i
  %c = load bfloat, ptr %c.at
  %y = call bfloat @llvm.fma.bf16(bfloat %a, bfloat %b, bfloat %c)
  %l = call bfloat @llvm.minnum.bf16(bfloat %a, bfloat %b)
  %h = call bfloat @llvm.maxnum.bf16(bfloat %a, bfloat %b)
  %q = fdiv bfloat %a, %b
  %y.at = getelementptr bfloat, ptr %y.p, i64 %i
  store bfloat %y, ptr %y.at
  %l.at = getelementptr bfloat, ptr %l.p, i64 %i
  store bfloat %l, ptr %l.at
  %h.at = getelementptr bfloat, ptr %h.p, i64 %i
  store bfloat %h, ptr %h.at
  %q.at = getelementptr bfloat, ptr %q.p, i64 %i
  store bfloat %q, ptr %q.at
  ret void
}
