; fma.rn.f16 by 1.0 is add.rn.f16, but for which NaN it is.
; limit: 100
(declare-const a (_ BitVec 16)) (declare-const c (_ BitVec 16))
(define-fun nan ((x (_ BitVec 16))) Bool (fp.isNaN ((_ to_fp 5 11) x)))
(assert (not (nan (|add.rn.f16| a c))))
(assert (distinct (|fma.rn.f16| a #x3c00 c) (|add.rn.f16| a c)))
