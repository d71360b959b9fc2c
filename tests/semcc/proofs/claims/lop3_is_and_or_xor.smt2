; lop3.b32 with the table of (a & b) ^ c, 0x6a, is xor of and.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32)) (declare-const c (_ BitVec 32))
(assert (distinct (|lop3.b32| a b c #x6a) (|xor.b32| (|and.b32| a b) c)))
