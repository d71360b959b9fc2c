; mad.hi.u16 is add of mul.hi and c: the high half is taken before anything is added.
(declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16)) (declare-const c (_ BitVec 16))
(assert (distinct (|mad.hi.u16| a b c) (|add.u16| (|mul.hi.u16| a b) c)))
