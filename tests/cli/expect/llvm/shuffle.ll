; Lanes take the value of the lane before, of lane 5, and of their partner.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=32
; wedjat: out up: i32[32]
; wedjat: out idx: i32[32]
; wedjat: out bfly: i32[32]
; wedjat: expect up[0]: i32 = 100
; wedjat: expect up[1..31]: i32 = range 100
; wedjat: expect idx: i32 = fill 105
; wedjat: expect bfly[0.. by 2]: i32 = range 101 step 2
; wedjat: expect bfly[1.. by 2]: i32 = range 100 step 2

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)

define ptx_kernel void @k(ptr %up, ptr %idx, ptr %bfly) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %v = add i32 %t, 100
  %u = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v, i32 1, i32 0)
  %x = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 5, i32 31)
  %b = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)
  %up.at = getelementptr i32, ptr %up, i64 %i
  %idx.at = getelementptr i32, ptr %idx, i64 %i
  %bfly.at = getelementptr i32, ptr %bfly, i64 %i
  store i32 %u, ptr %up.at
  store i32 %x, ptr %idx.at
  store i32 %b, ptr %bfly.at
  ret void
}
