; Division of 128 bits, which llc writes out as a loop.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: b128[6] = random 9
; wedjat: in n: b128 = 1 3 10 0x10000000000000000 0x123456789abcdef0123456789 0xffffffffffffffffffffffffffffffff
; wedjat: out q: b128[6]
; wedjat: out r: b128[6]
; wedjat: out s: b128[6]
; host q b128
; host r b128
; host s b128
; wedjat: expect q[0..5]: b128 = 0xc02d8a5e87afea62aeaf52febe706064 0x42f8844787bb202016a40ea1c191d892 0x02ef1876f341713306b8ab8c04bc0d90 0x0000000000000000fbc9d6184de7f13d 0x000000000000000000000000b18fac1f 0x00000000000000000000000000000000
; wedjat: expect r[0..5]: b128 = 0x00000000000000000000000000000000 0x00000000000000000000000000000000 0x00000000000000000000000000000001 0x0000000000000000a553b8a65aacb8cc 0x000000005a493210c288521204ca4bd2 0x36fb302fc8815a9996f90d64c71a19a0
; wedjat: expect s[0..5]: b128 = 0xc02d8a5e87afea62aeaf52febe706064 0xeda32ef23265cacac14eb94c6c3c833d 0x02ef1876f341713306b8ab8c04bc0d90 0xfffffffffffffffffbc9d6184de7f13e 0xffffffffffffffffffffffffd08fac20 0xc904cfd0377ea5666906f29b38e5e660

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %n.p, ptr %q.p, ptr %r.p, ptr %s.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i128, ptr %a.p, i64 %i
  %a = load i128, ptr %a.at
  %n.at = getelementptr i128, ptr %n.p, i64 %i
  %n = load i128, ptr %n.at
  %q = udiv i128 %a, %n
  %r = urem i128 %a, %n
  %s = sdiv i128 %a, %n
  %q.at = getelementptr i128, ptr %q.p, i64 %i
  store i128 %q, ptr %q.at
  %r.at = getelementptr i128, ptr %r.p, i64 %i
  store i128 %r, ptr %r.at
  %s.at = getelementptr i128, ptr %s.p, i64 %i
  store i128 %s, ptr %s.at
  ret void
}
