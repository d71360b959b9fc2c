// Which machine word holds an exact integer, and how constants are written in C++.
#pragma once
#include <string>

#include "semcc/ir/expr.h"

namespace semcc::emit {

struct Machine {
  bool is_signed = false;
  unsigned width = 32;  // 32, 64 or 128

  std::string name() const { return (is_signed ? "s" : "u") + std::to_string(width); }
  bool operator==(const Machine&) const = default;
};

// The narrowest machine word that holds every value of the interval; throws Error if 128 bits do not.
Machine machine_for(const ir::Interval& range, ir::Location at);
ir::Interval hull(const ir::Interval& a, const ir::Interval& b);
// 32, 64 or 128: the narrowest that has at least `bits`.
unsigned word_for(unsigned bits, ir::Location at);

std::string unsigned_name(unsigned width);                     // "u64"
std::string literal(const mpz_class& value, Machine machine);  // a primary expression of that type
std::string identifier(const std::string& text);               // "cvt.rn.f32" -> "cvt_rn_f32"

}  // namespace semcc::emit
