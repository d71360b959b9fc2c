; abs.s64 is max of a and neg a.
(declare-const a (_ BitVec 64))
(assert (distinct (|abs.s64| a) (|max.s64| a (|neg.s64| a))))
