; Funnel shifts of 64 bits take the amount modulo the width.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i64[8] = random 11
; wedjat: in b: i64[8] = random 12
; wedjat: in n: i64 = 0 1 31 32 63 64 65 127
; wedjat: out l: i64[8]
; wedjat: out r: i64[8]
; host l i64
; host r i64
; wedjat: expect l[0..7]: i64 = 5833679380957638813 -8767178456450062525 3984992112965577707 2823314897853712386 7859841227319705527 -8265290720845211634 3708329741730791112 6922375059195922639
; wedjat: expect r[0..7]: i64 = -7764212369254871293 -558352812378664405 -2506775621847240786 2823314897853712386 6094529408352695177 5425630273831533980 1285064817911111448 -8117229792002757675

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %n.p, ptr %l.p, ptr %r.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i64, ptr %a.p, i64 %i
  %a = load i64, ptr %a.at
  %b.at = getelementptr i64, ptr %b.p, i64 %i
  %b = load i64, ptr %b.at
  %n.at = getelementptr i64, ptr %n.p, i64 %i
  %n = load i64, ptr %n.at
  %l = call i64 @llvm.fshl.i64(i64 %a, i64 %b, i64 %n)
  %r = call i64 @llvm.fshr.i64(i64 %a, i64 %b, i64 %n)
  %l.at = getelementptr i64, ptr %l.p, i64 %i
  store i64 %l, ptr %l.at
  %r.at = getelementptr i64, ptr %r.p, i64 %i
  store i64 %r, ptr %r.at
  ret void
}
