; add.sat.s32 differs from add.s32 only where the signs of the operands agree and the sum's does not.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32))
(define-fun top ((x (_ BitVec 32))) (_ BitVec 1) ((_ extract 31 31) x))
(assert (distinct (|add.sat.s32| a b)
  (ite (and (= (top a) (top b)) (distinct (top a) (top (|add.s32| a b)))) (ite (= (top a) #b1) #x80000000 #x7fffffff) (|add.s32| a b))))
