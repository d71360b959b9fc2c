#include "semcc/emit/executors/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "semcc/emit/executors/executors.h"

namespace semcc::emit {

unsigned word_for(unsigned bits, ir::Location at) {
  for (const unsigned word : {32u, 64u, 128u})
    if (bits <= word) return word;
  throw Error(at, fmt::format("a value of {} bits: no machine word holds more than 128", bits));
}

Machine machine_for(const ir::Interval& range, ir::Location at) {
  const bool is_signed = range.low < 0;
  // mpz_sizeinbase of -2^n counts n + 1 bits; -2^n itself needs only n + 1 with its sign.
  const mpz_class least = is_signed ? mpz_class(-range.low - 1) : mpz_class(0);
  const mpz_class most = range.high < 0 ? mpz_class(0) : range.high;
  const std::size_t bits =
      std::max(mpz_sizeinbase(least.get_mpz_t(), 2), mpz_sizeinbase(most.get_mpz_t(), 2));
  return {is_signed, word_for(static_cast<unsigned>(bits) + (is_signed ? 1 : 0), at)};
}

ir::Interval hull(const ir::Interval& a, const ir::Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

std::string unsigned_name(unsigned width) { return fmt::format("u{}", width); }

std::string literal(const mpz_class& value, Machine machine) {
  mpz_class pattern;
  mpz_fdiv_r_2exp(pattern.get_mpz_t(), value.get_mpz_t(), machine.width);
  if (machine.width == 128) {
    const mpz_class high = pattern >> 64, low = pattern - (high << 64);
    return fmt::format("{}(u128(0x{}u) << 64 | 0x{}u)", machine.name(), high.get_str(16), low.get_str(16));
  }
  const std::string digits = value >= 0 && value < 1024 ? value.get_str() : "0x" + pattern.get_str(16);
  return fmt::format("{}({}u)", machine.name(), digits);
}

std::string identifier(const std::string& text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

}  // namespace semcc::emit
