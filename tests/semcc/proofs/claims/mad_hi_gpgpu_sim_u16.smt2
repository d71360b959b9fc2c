; refuted: GPGPU-Sim adds c before it takes the high half of the product.
(declare-const a (_ BitVec 16)) (declare-const b (_ BitVec 16)) (declare-const c (_ BitVec 16))
(define-fun theirs () (_ BitVec 16)
  ((_ extract 31 16) (bvadd (bvmul ((_ zero_extend 16) a) ((_ zero_extend 16) b)) ((_ zero_extend 16) c))))
(declare-const ours (_ BitVec 16)) (declare-const gpgpu_sim (_ BitVec 16))
(assert (= ours (|mad.hi.u16| a b c)))
(assert (= gpgpu_sim theirs))
(assert (and (= a b #x0000) (= c #xffff)))
(assert (distinct ours gpgpu_sim))
