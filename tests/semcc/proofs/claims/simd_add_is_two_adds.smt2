; add.u16x2 is add.u16 of each half.
(declare-const a (_ BitVec 32)) (declare-const b (_ BitVec 32))
(assert (distinct (|add.u16x2| a b)
  (concat (|add.u16| ((_ extract 31 16) a) ((_ extract 31 16) b)) (|add.u16| ((_ extract 15 0) a) ((_ extract 15 0) b)))))
