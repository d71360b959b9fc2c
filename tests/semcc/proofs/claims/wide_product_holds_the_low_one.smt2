; The low half of mul.wide.u32 is mul.lo.u32.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32))
(assert (distinct ((_ extract 31 0) (|mul.wide.u32| a b)) (|mul.lo.u32| a b)))
