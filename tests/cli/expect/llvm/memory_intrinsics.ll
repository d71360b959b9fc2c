; memcpy, memmove of parts that overlap, and memset.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k
; wedjat: in a: u8[40] = range 0
; wedjat: inout y: u8[40] = fill 255
; wedjat: inout z: u8[40] = range 100
; host y u8
; host z u8
; wedjat: expect y[0..7]: u8 = 0 1 2 3 4 5 6 7
; wedjat: expect y[8..15]: u8 = 8 9 10 11 12 13 14 15
; wedjat: expect y[16..23]: u8 = 16 17 18 19 20 21 22 23
; wedjat: expect y[24..31]: u8 = 255 255 255 255 255 255 7 7
; wedjat: expect y[32..39]: u8 = 7 7 7 255 255 255 255 255
; wedjat: expect z[0..7]: u8 = 100 101 102 103 104 100 101 102
; wedjat: expect z[8..15]: u8 = 103 104 105 106 107 108 109 110
; wedjat: expect z[16..23]: u8 = 111 112 118 119 120 121 122 123
; wedjat: expect z[24..31]: u8 = 124 66 66 66 66 66 66 66
; wedjat: expect z[32..39]: u8 = 66 66 66 66 66 66 138 139

target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define ptx_kernel void @k(ptr %a, ptr %y, ptr %z) {
  %n = load i8, ptr %a
  %more = zext i8 %n to i64
  %len = add i64 %more, 13
  %y3 = getelementptr i8, ptr %y, i64 3
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %a, i64 24, i1 false)
  %z5 = getelementptr i8, ptr %z, i64 5
  call void @llvm.memmove.p0.p0.i64(ptr %z5, ptr %z, i64 %len, i1 false)
  %y30 = getelementptr i8, ptr %y, i64 30
  call void @llvm.memset.p0.i64(ptr %y30, i8 7, i64 5, i1 false)
  %z25 = getelementptr i8, ptr %z, i64 25
  call void @llvm.memset.p0.i64(ptr %z25, i8 66, i64 %len, i1 false)
  ret void
}
