; mul.hi.u64 by four products of halves: beyond the solver, said so.
; limit: 5
(declare-const a (_ BitVec 64)) (declare-const b (_ BitVec 64))
(define-fun lo ((x (_ BitVec 64))) (_ BitVec 64) ((_ zero_extend 32) ((_ extract 31 0) x)))
(define-fun hi ((x (_ BitVec 64))) (_ BitVec 64) ((_ zero_extend 32) ((_ extract 63 32) x)))
(define-fun middle () (_ BitVec 64) (bvadd (bvmul (hi a) (lo b)) (hi (bvmul (lo a) (lo b)))))
(assert (distinct (|mul.hi.u64| a b)
  (bvadd (bvmul (hi a) (hi b)) (hi middle) (hi (bvadd (bvmul (lo a) (hi b)) (lo middle))))))
