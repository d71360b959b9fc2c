; The high halves of products, of 32 and 64 bits, with and without sign.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i64[8] = random 15
; wedjat: in b: i64[8] = random 16
; wedjat: out y: b64[8]
; wedjat: out z: b64[8]
; wedjat: out w: b32[8]
; host y b64
; host z b64
; host w b32
; wedjat: expect y[0..7]: b64 = 0x31a38334a77660e2 0x0fe0a66f08ca2ecd 0x79be3b47d8c288cf 0x20a7c521c8bd23e0 0x1d88003bf0fe0142 0x35d3bad07d70ed39 0x4b5fad2ba8bead09 0x0001864d8fc8b5ff
; wedjat: expect z[0..7]: b64 = 0xd3c1fc57ecfecedb 0xfb8694a43f44ca82 0x110d5c191a63f428 0xe9613f1665c8c699 0xefaa6b1fd46733d0 0xfac2329d2482a4cd 0xebb47f171ae37982 0xffff895e11282066
; wedjat: expect w[0..7]: b32 = 0x16d3ab36 0x0e8b44d7 0xf6f0961e 0xf53a54ef 0xf88ad4c1 0x08d369fd 0xe2fa03c2 0x08ff6e32

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %y.p, ptr %z.p, ptr %w.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i64, ptr %a.p, i64 %i
  %a = load i64, ptr %a.at
  %b.at = getelementptr i64, ptr %b.p, i64 %i
  %b = load i64, ptr %b.at
  %ua = zext i64 %a to i128
  %ub = zext i64 %b to i128
  %u = mul i128 %ua, %ub
  %uh = lshr i128 %u, 64
  %y = trunc i128 %uh to i64
  %sa = sext i64 %a to i128
  %sb = sext i64 %b to i128
  %s = mul i128 %sa, %sb
  %sh = lshr i128 %s, 64
  %z = trunc i128 %sh to i64
  %a32 = trunc i64 %a to i32
  %b32 = trunc i64 %b to i32
  %wa = sext i32 %a32 to i64
  %wb = sext i32 %b32 to i64
  %p = mul i64 %wa, %wb
  %ph = lshr i64 %p, 32
  %w = trunc i64 %ph to i32
  %y.at = getelementptr i64, ptr %y.p, i64 %i
  store i64 %y, ptr %y.at
  %z.at = getelementptr i64, ptr %z.p, i64 %i
  store i64 %z, ptr %z.at
  %w.at = getelementptr i32, ptr %w.p, i64 %i
  store i32 %w, ptr %w.at
  ret void
}
