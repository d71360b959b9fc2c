; frem of halves.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: f16 = 5.5 1000 60000 -7
; wedjat: in b: f16 = 2 0.1 0.3 3
; wedjat: out y: f16[4]
; host y f16
; wedjat: expect y[0..3]: f16 = 0x3e00 0x29a8 0x305a 0xbc00

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr half, ptr %a.p, i64 %i
  %a = load half, ptr %a.at
  %b.at = getelementptr half, ptr %b.p, i64 %i
  %b = load half, ptr %b.at
  %y = frem half %a, %b
  %y.at = getelementptr half, ptr %y.p, i64 %i
  store half %y, ptr %y.at
  ret void
}
