; Sums, products and maxima across a vector.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: i32[32] = random 23
; wedjat: out y: i32[4]
; wedjat: out z: i32[4]
; wedjat: out w: i32[4]
; host y i32
; host z i32
; host w i32
; wedjat: expect y[0..3]: i32 = -2016665251 1570511538 1900457424 -1702972280
; wedjat: expect z[0..3]: i32 = 1899031924 1503966089 1393163529 905577421
; wedjat: expect w[0..3]: i32 = -442684021 -1742798234 -2130722378 508153002

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
declare i32 @llvm.vector.reduce.smax.v8i32(<8 x i32>)
declare i32 @llvm.vector.reduce.xor.v8i32(<8 x i32>)

define ptx_kernel void @k(ptr %a, ptr %y, ptr %z, ptr %w) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %a.at = getelementptr <8 x i32>, ptr %a, i64 %i
  %y.at = getelementptr i32, ptr %y, i64 %i
  %z.at = getelementptr i32, ptr %z, i64 %i
  %w.at = getelementptr i32, ptr %w, i64 %i
  %v = load <8 x i32>, ptr %a.at
  %s = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %v)
  %m = call i32 @llvm.vector.reduce.smax.v8i32(<8 x i32> %v)
  %x = call i32 @llvm.vector.reduce.xor.v8i32(<8 x i32> %v)
  store i32 %s, ptr %y.at
  store i32 %m, ptr %z.at
  store i32 %x, ptr %w.at
  ret void
}
