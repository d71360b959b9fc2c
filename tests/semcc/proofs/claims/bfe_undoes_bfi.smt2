; bfe.u32 reads what bfi.b32 wrote, for fields that lie inside the word.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32)) (declare-const at (_ BitVec 32)) (declare-const n (_ BitVec 32))
(assert (and (bvult at (_ bv32 32)) (bvugt n (_ bv0 32)) (bvule n (_ bv32 32)) (bvule (bvadd at n) (_ bv32 32))))
(assert (distinct (|bfe.u32| (|bfi.b32| a b at n) at n) (bvand a (bvlshr #xffffffff (bvsub (_ bv32 32) n)))))
