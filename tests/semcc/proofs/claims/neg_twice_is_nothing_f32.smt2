; neg.f32 twice is nothing, but for NaN.
(declare-const a (_ BitVec 32))
(assert (not (fp.isNaN ((_ to_fp 8 24) a))))
(assert (distinct (|neg.f32| (|neg.f32| a)) a))
