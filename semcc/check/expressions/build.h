// Typed expressions of the checked form: each function checks kinds, derives the interval, and folds
// constants. All throw Refusal.
#pragma once
#include "semcc/check/types/value.h"

namespace semcc::check::build {

using ir::ExprPtr;
using ir::Op;

ExprPtr node(Op op, ir::Type type, std::vector<ExprPtr> args,
             Location at);  // no check: for leaves and effects
ExprPtr constant(const mpz_class& value, Location at);
ExprPtr constant(const mpz_class& value, const ir::Type& type,
                 Location at);  // of a view; a Float's bit pattern
ExprPtr truth(bool value, Location at);
bool is_constant(const ExprPtr& e);
const mpz_class& number_of(const ExprPtr& e,
                           const char* what);  // of a constant Integer, else a Refusal naming `what`

void want_integer(const ExprPtr& e, const char* what);
void want_pred(const ExprPtr& e, const char* what);
void want_float(const ExprPtr& e, const char* what);

// build_integer.cpp
ExprPtr integer(Op op, const ExprPtr& a, const ExprPtr& b, Location at);  // Add … Xor, Min, Max, Shl, Shr
ExprPtr integer(Op op, const ExprPtr& a, Location at);                    // Neg Not Abs PopCount HighestBit
ExprPtr wrap(const ir::Type& type, const ExprPtr& x, Location at);
ExprPtr clamp(const ir::Type& type, const ExprPtr& x, Location at);
ExprPtr slice(const ExprPtr& x, const mpz_class& high, const mpz_class& low, Location at);
ExprPtr bit(const ExprPtr& x, const ExprPtr& i, Location at);  // truth
ExprPtr reverse(const ir::Type& type, const ExprPtr& x, Location at);
ExprPtr concatenate(const ExprPtr& high, const ExprPtr& low, Location at);
ExprPtr table(const std::string& name, const std::vector<mpz_class>& values, const ExprPtr& index,
              Location at);
ExprPtr to_float(const ir::Type& type, const ExprPtr& x, Location at);
ExprPtr bits_of(const ExprPtr& x, Location at);  // of a Float or Pred

// build_truth.cpp
ExprPtr compare(const std::string& op, const ExprPtr& a, const ExprPtr& b, Location at);  // == != < <= > >=
ExprPtr logical(const std::string& op, const ExprPtr& a, const ExprPtr& b, Location at);  // && || ^^
ExprPtr negate(const ExprPtr& p, Location at);
ExprPtr select(const ExprPtr& condition, const ExprPtr& a, const ExprPtr& b, Location at);

// build_float.cpp
ExprPtr exact(const ExprPtr& x, Location at);
ExprPtr real(const std::string& op, const ExprPtr& a, const ExprPtr& b,
             Location at);  // + - * / of reals; Integers are lifted
ExprPtr real_negate(const ExprPtr& a, Location at);
ExprPtr square_root(const ExprPtr& a, Location at);
ExprPtr round(const ir::Type& type, const ExprPtr& x, ir::Rounding rounding, Location at);
ExprPtr integral(const ExprPtr& x, ir::Rounding rounding, Location at);
ExprPtr float_to_float(Op op, const ExprPtr& x,
                       Location at);  // Flush Canonical UnitClamp FloatNegate FloatAbs
ExprPtr float_to_float(Op op, const ExprPtr& a, const ExprPtr& b, Location at);  // CopySign
ExprPtr float_test(Op op, const ExprPtr& x, Location at);                        // IsNan … SignBit
ExprPtr float_test(Op op, const ExprPtr& a, const ExprPtr& b, Location at);      // FloatEqual …

}  // namespace semcc::check::build
