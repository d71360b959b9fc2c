; mad.lo.u64 is add of mul.lo and c.
(declare-const a (_ BitVec 64)) (declare-const b (_ BitVec 64)) (declare-const c (_ BitVec 64))
(assert (distinct (|mad.lo.u64| a b c) (|add.u64| (|mul.lo.u64| a b) c)))
