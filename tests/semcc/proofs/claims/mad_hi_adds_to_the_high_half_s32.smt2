; mad.hi.s32 is add of mul.hi and c: the high half is taken before anything is added.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32)) (declare-const c (_ BitVec 32))
(assert (distinct (|mad.hi.s32| a b c) (|add.s32| (|mul.hi.s32| a b) c)))
