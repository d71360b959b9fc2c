; min.f32 and max.f32 of two numbers are these two numbers, zeros of both signs included.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32))
(define-fun nan ((x (_ BitVec 32))) Bool (fp.isNaN ((_ to_fp 8 24) x)))
(assert (and (not (nan a)) (not (nan b))))
(define-fun low () (_ BitVec 32) (|min.f32| a b))
(define-fun high () (_ BitVec 32) (|max.f32| a b))
(assert (not (or (and (= low a) (= high b)) (and (= low b) (= high a)))))
