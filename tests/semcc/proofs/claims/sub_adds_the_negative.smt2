; sub.s32 is add of neg.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32))
(assert (distinct (|sub.s32| a b) (|add.s32| a (|neg.s32| b))))
