// Sums of products as tensor cores form them (LANGUAGE.md, Matrices), with big integers.
#pragma once
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::eval {

struct Pattern {
  mpz_class bits;
  ir::Format format;
};

// The pattern, in `format`, of addend + the products of a[i] and b[i], blocks in ascending order.
mpz_class aligned_sum(const ir::Multiply& how, ir::Format format, const std::vector<Pattern>& a,
                      const std::vector<Pattern>& b, const mpz_class& addend);

}  // namespace semcc::eval
