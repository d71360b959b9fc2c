; refuted: fma.rn.f16 as mul.rn.f16 and add.rn.f16, which round twice.
; limit: 30
(declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16)) (declare-const c (_ BitVec 16))
(define-fun nan ((x (_ BitVec 16))) Bool (fp.isNaN ((_ to_fp 5 11) x)))
(assert (and (not (nan a)) (not (nan b)) (not (nan c)) (= a #xb714)))
(assert (not (nan (|fma.rn.f16| a b c))))
(assert (distinct (|fma.rn.f16| a b c) (|add.rn.f16| (|mul.rn.f16| a b) c)))
