; Bytes in reverse order, of 16, 32 and 64 bits.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=6
; wedjat: in a: i64[6] = random 14
; wedjat: out y: b64[6]
; wedjat: out z: b32[6]
; wedjat: out w: b16[6]
; host y b64
; host z b32
; host w b16
; wedjat: expect y[0..5]: b64 = 0x3ee6db3514d6a96a 0x7ac2acf5f8194112 0x0a935f9c629dd203 0x924e4558c91002a9 0x972b81c2488372e6 0xfe584b719c31c454
; wedjat: expect z[0..5]: b32 = 0x3ee6db35 0x7ac2acf5 0x0a935f9c 0x924e4558 0x972b81c2 0xfe584b71
; wedjat: expect w[0..5]: b16 = 0x3ee6 0x7ac2 0x0a93 0x924e 0x972b 0xfe58

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.bswap.i64(i64)
declare i32 @llvm.bswap.i32(i32)
declare i16 @llvm.bswap.i16(i16)

define ptx_kernel void @k(ptr %a.p, ptr %y.p, ptr %z.p, ptr %w.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i64, ptr %a.p, i64 %i
  %a = load i64, ptr %a.at
  %y = call i64 @llvm.bswap.i64(i64 %a)
  %b = trunc i64 %a to i32
  %z = call i32 @llvm.bswap.i32(i32 %b)
  %c = trunc i64 %a to i16
  %w = call i16 @llvm.bswap.i16(i16 %c)
  %y.at = getelementptr i64, ptr %y.p, i64 %i
  store i64 %y, ptr %y.at
  %z.at = getelementptr i32, ptr %z.p, i64 %i
  store i32 %z, ptr %z.at
  %w.at = getelementptr i16, ptr %w.p, i64 %i
  store i16 %w, ptr %w.at
  ret void
}
