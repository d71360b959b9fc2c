; shf.l.wrap of a word with itself is a rotation.
(declare-const a (_ BitVec 32)) (declare-const c (_ BitVec 32))
(define-fun n () (_ BitVec 32) (bvand c (_ bv31 32)))
(assert (distinct (|shf.l.wrap.b32| a a c) (bvor (bvshl a n) (bvlshr a (bvsub (_ bv32 32) n)))))
