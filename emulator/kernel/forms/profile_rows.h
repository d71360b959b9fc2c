// Tables of forms that the target's profile makes for ptxas/: `rows NAME(column, …)` in semantics/profiles.
#pragma once
#include <span>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// An unmarked product, a sum and a difference it may go into, what product and sum become, and the negation
/// that may lie between.
struct Contraction {
  const Form *product, *sum, *difference, *fused, *negation;
};
/// The absolute value of a square, which is the square.
struct SquareMagnitude {
  const Form *square, *magnitude;
};
/// A quotient that is the product of its dividend and the reciprocal of its divisor; `scale` multiplies both
/// first where the special-function unit does not reach the divisor, `by_constant` is the product with a
/// constant's reciprocal, which `exact` rounds correctly.
struct ContractedQuotient {
  const Form *quotient, *reciprocal, *scale, *by_constant, *exact;
};
/// How the factor of the scaling is found: |divisor|, is it below, is it above, the factor.
struct ScaleSteps {
  const Form *magnitude, *below, *above, *choose;
};
/// A product with 1 or -1 that is no copy, and what it is.
struct UnitProduct {
  const Form *product, *result;
};
/// A function of a literal that ptxas rounds correctly, as the other form does.
struct LiteralFunction {
  const Form *function, *exact;
};
/// The same by double precision, rounded at the end.
struct LiteralFunctionInDouble {
  const Form *function, *widen, *first, *second, *narrow;
};
/// A difference, and what it is where ptxas exchanges its operands: the second times -1 plus the first.
struct ExchangedDifference {
  const Form *difference, *fused;
};
/// A change of sign, and what it is under a guard: the old or the new value is selected, a NaN left alone.
struct GuardedSign {
  const Form *sign, *selected;
};

template <class Row>
std::span<const Row> profile_rows();  // defined in generated code
template <>
std::span<const Contraction> profile_rows();
template <>
std::span<const SquareMagnitude> profile_rows();
template <>
std::span<const ContractedQuotient> profile_rows();
template <>
std::span<const ScaleSteps> profile_rows();
template <>
std::span<const UnitProduct> profile_rows();
template <>
std::span<const LiteralFunction> profile_rows();
template <>
std::span<const LiteralFunctionInDouble> profile_rows();
template <>
std::span<const ExchangedDifference> profile_rows();
template <>
std::span<const GuardedSign> profile_rows();

}  // namespace wedjat::kernel
