#include "semcc/ir/arithmetic.h"

#include <stdexcept>

namespace semcc::ir {

mpz_class slice_bits(const mpz_class& value, unsigned high, unsigned low) {
  mpz_class shifted, result;
  mpz_fdiv_q_2exp(shifted.get_mpz_t(), value.get_mpz_t(), low);
  mpz_fdiv_r_2exp(result.get_mpz_t(), shifted.get_mpz_t(), high - low + 1);
  return result;
}

mpz_class reverse_bits(const mpz_class& value, unsigned width) {
  mpz_class result;
  for (unsigned i = 0; i < width; ++i)
    if (mpz_tstbit(value.get_mpz_t(), i)) mpz_setbit(result.get_mpz_t(), width - 1 - i);
  return result;
}

mpz_class wrap_to(const mpz_class& value, const Type& type) {
  mpz_class result = slice_bits(value, type.width - 1, 0);
  if (type.is_signed && mpz_tstbit(result.get_mpz_t(), type.width - 1)) result -= mpz_class(1) << type.width;
  return result;
}

mpz_class clamp_to(const mpz_class& value, const Type& type) {
  const Interval range = range_of(type);
  return value < range.low ? range.low : value > range.high ? range.high : value;
}

mpz_class compute(Op op, const mpz_class& a, const mpz_class& b) {
  mpz_class result;
  switch (op) {
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::Div:
      if (b != 0) mpz_tdiv_q(result.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
      return result;
    case Op::Rem:
      if (b != 0) mpz_tdiv_r(result.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
      return result;
    case Op::Neg:
      return -a;
    case Op::Not:
      return -a - 1;
    case Op::Abs:
      return abs(a);
    case Op::Min:
      return a < b ? a : b;
    case Op::Max:
      return a < b ? b : a;
    case Op::And:
      return a & b;
    case Op::Or:
      return a | b;
    case Op::Xor:
      return a ^ b;
    case Op::Shl:
      mpz_mul_2exp(result.get_mpz_t(), a.get_mpz_t(), b.get_ui());
      return result;
    case Op::Shr:
      mpz_fdiv_q_2exp(result.get_mpz_t(), a.get_mpz_t(), b.get_ui());
      return result;
    case Op::PopCount:
      return mpz_popcount(a.get_mpz_t());
    case Op::HighestBit:
      return a == 0 ? mpz_class(-1) : mpz_class(mpz_sizeinbase(a.get_mpz_t(), 2)) - 1;
    default:
      throw std::logic_error("compute: not an integer operation");
  }
}

}  // namespace semcc::ir
