; clz.b32 and bfind.shiftamt.u32 agree but for zero.
(declare-const a (_ BitVec 32))
(assert (distinct a (_ bv0 32)))
(assert (distinct (|clz.b32| a) (|bfind.shiftamt.u32| a)))
