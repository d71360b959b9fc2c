; refuted: GPGPU-Sim forms the product in the operands' width, widens it too late, and adds c before it takes the high half.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32)) (declare-const c (_ BitVec 32))
(define-fun theirs () (_ BitVec 32)
  (let ((p (bvmul a b)))
    ((_ extract 63 32) (bvadd ((_ sign_extend 32) p) ((_ sign_extend 32) c)))))
(declare-const ours (_ BitVec 32)) (declare-const gpgpu_sim (_ BitVec 32))
(assert (= ours (|mad.hi.s32| a b c)))
(assert (= gpgpu_sim theirs))
(assert (distinct ours gpgpu_sim))
