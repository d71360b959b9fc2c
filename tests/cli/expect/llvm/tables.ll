; Initialised tables: structs, floats, text, pointers between variables.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: out y: i32[4]
; wedjat: out z: f64[4]
; host y i32
; host z f64
; wedjat: expect y[0..3]: i32 = 102 136 150 73
; wedjat: expect z[0..3]: f64 = 0x3fe0000000000000 0xbff4000000000000 0x54cb6e83b85f253b 0x3fb999999999999a

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

@text = internal addrspace(1) constant [5 x i8] c"ptx!\00"
@records = internal addrspace(1) constant [4 x { i8, i32, double }] [{ i8, i32, double } { i8 1, i32 -10, double 0.5 }, { i8, i32, double } { i8 2, i32 20, double -1.25 }, { i8, i32, double } { i8 3, i32 30, double 3.0e100 }, { i8, i32, double } { i8 4, i32 40, double 0.1 }]
define ptx_kernel void @k(ptr %y, ptr %z) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %c.at = getelementptr i8, ptr addrspace(1) @text, i64 %i
  %c = load i8, ptr addrspace(1) %c.at
  %r = getelementptr { i8, i32, double }, ptr addrspace(1) @records, i64 %i
  %n.at = getelementptr { i8, i32, double }, ptr addrspace(1) %r, i64 0, i32 1
  %d.at = getelementptr { i8, i32, double }, ptr addrspace(1) %r, i64 0, i32 2
  %n = load i32, ptr addrspace(1) %n.at
  %d = load double, ptr addrspace(1) %d.at
  %w = zext i8 %c to i32
  %s = add i32 %w, %n
  %y.at = getelementptr i32, ptr %y, i64 %i
  store i32 %s, ptr %y.at
  %z.at = getelementptr double, ptr %z, i64 %i
  store double %d, ptr %z.at
  ret void
}
