; A product by compare-and-exchange, which only one thread at a time wins.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=20
; wedjat: inout y: u32 = 1
; wedjat: out won: i32[20]
; host y u32
; host won i32
; wedjat: expect y[0..0]: u32 = 1696397449
; wedjat: expect won[0..7]: i32 = 1 1 1 1 1 1 1 1
; wedjat: expect won[8..15]: i32 = 1 1 1 1 1 1 1 1
; wedjat: expect won[16..19]: i32 = 1 1 1 1

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %y, ptr %won) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %odd.2 = shl i32 %t, 1
  %odd = or i32 %odd.2, 1
  %start = load atomic i32, ptr %y monotonic, align 4
  br label %loop
loop:
  %old = phi i32 [ %start, %entry ], [ %seen, %loop ]
  %new = mul i32 %old, %odd
  %r = cmpxchg ptr %y, i32 %old, i32 %new acq_rel monotonic
  %seen = extractvalue { i32, i1 } %r, 0
  %ok = extractvalue { i32, i1 } %r, 1
  br i1 %ok, label %end, label %loop
end:
  %w = zext i1 %ok to i32
  %at = getelementptr i32, ptr %won, i64 %i
  store i32 %w, ptr %at
  ret void
}
