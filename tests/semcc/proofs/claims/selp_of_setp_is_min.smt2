; selp by setp.lt is min.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32))
(assert (distinct (|selp.s32| a b (|setp.lt.s32 p| a b)) (|min.s32| a b)))
