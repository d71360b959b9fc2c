; llvm.trap ends the launch, but only where a thread comes there.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k
; wedjat: scalar n: i32 = 1
; wedjat: out y: i32[1]
; wedjat: expect y: i32 = 1
; wedjat: launch k
; wedjat: scalar n: i32 = 0
; wedjat: out y: i32[1]
; wedjat: fails "trap"

target triple = "nvptx64-nvidia-cuda"
declare void @llvm.trap()

define ptx_kernel void @k(i32 %n, ptr %y) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %fail, label %end
fail:
  call void @llvm.trap()
  unreachable
end:
  store i32 %n, ptr %y
  ret void
}
