; Ballots, all and any: even lanes, lanes below 20, and lane 31.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=32
; wedjat: out y: b32[32]
; wedjat: out z: i32[32]
; wedjat: expect y: b32 = fill 0x55555555
; wedjat: expect z: i32 = fill 5

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)

define ptx_kernel void @k(ptr %y, ptr %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %low = and i32 %t, 1
  %even = icmp eq i32 %low, 0
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %even)
  %below = icmp ult i32 %t, 20
  %last = icmp eq i32 %t, 31
  %true = icmp ult i32 %t, 32
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %last)
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %below)
  %every = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %true)
  %w1 = zext i1 %any to i32
  %w2 = select i1 %all, i32 2, i32 0
  %w3 = select i1 %every, i32 4, i32 0
  %w4 = or i32 %w1, %w2
  %w5 = or i32 %w4, %w3
  %y.at = getelementptr i32, ptr %y, i64 %i
  %z.at = getelementptr i32, ptr %z, i64 %i
  store i32 %ballot, ptr %y.at
  store i32 %w5, ptr %z.at
  ret void
}
