; mad.lo.s16 is add of mul.lo and c.
(declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16)) (declare-const c (_ BitVec 16))
(assert (distinct (|mad.lo.s16| a b c) (|add.s16| (|mul.lo.s16| a b) c)))
