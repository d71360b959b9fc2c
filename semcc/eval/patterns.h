// Register values that find errors.
#pragma once
#include <gmpxx.h>

#include <random>

#include "semcc/ir/type.h"

namespace semcc::eval {

using Random = std::mt19937_64;

// Corners of the type, neighbours of powers of two, random bits, random exponents; each part of a packed
// register apart.
mpz_class any_pattern(const ir::Type& type, Random& random);

}  // namespace semcc::eval
