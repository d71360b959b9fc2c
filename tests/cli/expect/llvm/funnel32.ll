; Funnel shifts of 32 bits take the amount modulo the width.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=8
; wedjat: in a: i32[8] = random 11
; wedjat: in b: i32[8] = random 12
; wedjat: in n: i32 = 0 1 31 32 33 63 100 -1
; wedjat: out l: i32[8]
; wedjat: out r: i32[8]
; host l i32
; host r i32
; wedjat: expect l[0..7]: i32 = 595603613 -187291837 -1749042313 657354224 -368528503 1898626766 789182022 627411151
; wedjat: expect r[0..7]: i32 = -1713467645 -824946133 -583654182 -1863947831 2036105143 -178212835 1176384483 -680186924

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)

define ptx_kernel void @k(ptr %a.p, ptr %b.p, ptr %n.p, ptr %l.p, ptr %r.p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr i32, ptr %a.p, i64 %i
  %a = load i32, ptr %a.at
  %b.at = getelementptr i32, ptr %b.p, i64 %i
  %b = load i32, ptr %b.at
  %n.at = getelementptr i32, ptr %n.p, i64 %i
  %n = load i32, ptr %n.at
  %l = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %n)
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %n)
  %l.at = getelementptr i32, ptr %l.p, i64 %i
  store i32 %l, ptr %l.at
  %r.at = getelementptr i32, ptr %r.p, i64 %i
  store i32 %r, ptr %r.at
  ret void
}
