; An array on the stack, sorted in place.
; RUN: %llc %s -o %t.ptx && %wedjat expect %t.ptx --directives %s
; wedjat: launch k block=4
; wedjat: in a: i32[32] = random 31
; wedjat: out y: i32[32]
; host y i32
; wedjat: expect y[0..7]: i32 = -2019562774 -1538187940 258651905 374703215 622384341 885541809 1136607192 1747196269
; wedjat: expect y[8..15]: i32 = -26606617 232849829 1149464973 1283212939 1609581762 1930889255 1972787217 2121202962
; wedjat: expect y[16..23]: i32 = -1655527924 -903299537 98541126 612152681 696160301 1049293522 1108798492 1906745413
; wedjat: expect y[24..31]: i32 = -818153142 435900440 566911151 699272464 785075486 913223465 1667732514 1988231480

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr %a, ptr %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %s = alloca [8 x i32]
  %a.at = getelementptr [8 x i32], ptr %a, i64 %i
  %y.at = getelementptr [8 x i32], ptr %y, i64 %i
  br label %outer
outer:
  %n = phi i64 [ 0, %entry ], [ %n.next, %placed ]
  %done = icmp eq i64 %n, 8
  br i1 %done, label %copy, label %take
take:
  %v.at = getelementptr i32, ptr %a.at, i64 %n
  %v = load i32, ptr %v.at
  br label %inner
inner:
  %j = phi i64 [ %n, %take ], [ %j.less, %move ]
  %first = icmp eq i64 %j, 0
  br i1 %first, label %placed, label %look
look:
  %j.less = sub i64 %j, 1
  %w.at = getelementptr i32, ptr %s, i64 %j.less
  %w = load i32, ptr %w.at
  %right = icmp sle i32 %w, %v
  br i1 %right, label %placed, label %move
move:
  %to = getelementptr i32, ptr %s, i64 %j
  store i32 %w, ptr %to
  br label %inner
placed:
  %at = getelementptr i32, ptr %s, i64 %j
  store i32 %v, ptr %at
  %n.next = add i64 %n, 1
  br label %outer
copy:
  %c = phi i64 [ 0, %outer ], [ %c.next, %copy ]
  %from = getelementptr i32, ptr %s, i64 %c
  %x = load i32, ptr %from
  %dest = getelementptr i32, ptr %y.at, i64 %c
  store i32 %x, ptr %dest
  %c.next = add i64 %c, 1
  %more = icmp ult i64 %c.next, 8
  br i1 %more, label %copy, label %end
end:
  ret void
}
