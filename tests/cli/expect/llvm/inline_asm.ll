; Inline PTX between values of LLVM.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: u32 = 0xdeadbeef 1 0x00ff00ff 0x12345678
; wedjat: out y: b32[4]
; wedjat: out z: u32[4]
; wedjat: expect y: b32 = 0xefbeadde 0x01000000 0xff00ff00 0x78563412
; wedjat: expect z: u32 = 1 2 1 2

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a, ptr %y, ptr %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %a.at
  %r = call i32 asm "prmt.b32 $0, $1, 0, 0x0123;", "=r,r"(i32 %v)
  %s = call i32 asm sideeffect "{ .reg .pred p; setp.gt.s32 p, $1, 16777215; selp.u32 $0, 1, 2, p; }", "=r,r"(i32 %r)
  %n = call i32 asm "{ .reg .pred q; setp.lt.s32 q, $1, 0; selp.u32 $0, 1, 2, q; }", "=r,r"(i32 %r)
  %y.at = getelementptr i32, ptr %y, i64 %i
  %z.at = getelementptr i32, ptr %z, i64 %i
  store i32 %r, ptr %y.at
  store i32 %n, ptr %z.at
  ret void
}
