; mad.lo.s32 is add of mul.lo and c.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32)) (declare-const c (_ BitVec 32))
(assert (distinct (|mad.lo.s32| a b c) (|add.s32| (|mul.lo.s32| a b) c)))
