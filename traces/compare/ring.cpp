#include "traces/compare/ring.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace wedjat::traces {
namespace {

using Wide = unsigned __int128;

std::uint64_t times(std::uint64_t a, std::uint64_t b, std::uint64_t prime) {
  return static_cast<std::uint64_t>(Wide{a} * b % prime);
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t prime) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base = times(base, base, prime))
    if ((exponent & 1) != 0) result = times(result, base, prime);
  return result;
}

// Miller and Rabin, with bases that decide all numbers below 2^64.
bool is_prime(std::uint64_t n) {
  const int twos = std::countr_zero(n - 1);
  for (const std::uint64_t base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    if (n % base == 0) return false;
    std::uint64_t x = power(base, (n - 1) >> twos, n);
    if (x == 1) continue;
    int i = 0;
    for (; i < twos && x != n - 1; ++i) x = times(x, x, n);
    if (i == twos) return false;
  }
  return true;
}

struct Layout {
  unsigned bytes, fraction, exponent;
};
constexpr Layout layouts[] = {{2, 10, 5}, {2, 7, 8}, {4, 23, 8}, {8, 52, 11}};

struct Split {
  bool negative = false, finite = true;
  std::uint64_t whole = 0;  // times 2^exponent
  int exponent = 0;
};

Split parts_of(FloatFormat format, std::uint64_t bits) {
  const Layout& layout = layouts[static_cast<int>(format)];
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << layout.fraction) - 1);
  const std::uint64_t highest = (std::uint64_t{1} << layout.exponent) - 1,
                      exponent = bits >> layout.fraction & highest;
  Split parts;
  parts.negative = (bits >> (layout.fraction + layout.exponent) & 1) != 0;
  parts.finite = exponent != highest;
  parts.whole = exponent == 0 ? fraction : fraction | std::uint64_t{1} << layout.fraction;
  parts.exponent = static_cast<int>(std::max<std::uint64_t>(exponent, 1)) - static_cast<int>(highest / 2) -
                   static_cast<int>(layout.fraction);
  return parts;
}

std::uint64_t mixed(std::uint64_t x) {  // SplitMix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

}  // namespace

unsigned bytes_of(FloatFormat format) { return layouts[static_cast<int>(format)].bytes; }

bool format_of(std::string_view name, FloatFormat& format) {
  constexpr std::string_view names[] = {"f16", "bf16", "f32", "f64"};
  const auto* const found = std::ranges::find(names, name);
  if (found == std::end(names)) return false;
  format = static_cast<FloatFormat>(found - names);
  return true;
}

double number_of(FloatFormat format, std::uint64_t bits) {
  const Split parts = parts_of(format, bits);
  if (!parts.finite) return std::nan("");
  const double size = std::ldexp(static_cast<double>(parts.whole), parts.exponent);
  return parts.negative ? -size : size;
}

Ring::Ring(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < 2; ++i) {
    do primes_[i] = (std::uint64_t{1} << 60 | random() >> 4) | 1;
    while (!is_prime(primes_[i]) || (i == 1 && primes_[1] == primes_[0]));
    const std::uint64_t prime = primes_[i], half = (prime + 1) / 2;
    powers_[i][-least] = 1;
    for (int e = 1; e <= most; ++e) powers_[i][e - least] = times(powers_[i][e - 1 - least], 2, prime);
    for (int e = -1; e >= least; --e) powers_[i][e - least] = times(powers_[i][e + 1 - least], half, prime);
  }
}

Mark Ring::sum(const Mark& a, const Mark& b) const {
  Mark c;
  for (std::size_t i = 0; i < 2; ++i) c.at[i] = (a.at[i] + b.at[i]) % primes_[i];
  return c;
}

Mark Ring::difference(const Mark& a, const Mark& b) const {
  Mark c;
  for (std::size_t i = 0; i < 2; ++i) c.at[i] = (a.at[i] + primes_[i] - b.at[i]) % primes_[i];
  return c;
}

Mark Ring::product(const Mark& a, const Mark& b) const {
  Mark c;
  for (std::size_t i = 0; i < 2; ++i) c.at[i] = times(a.at[i], b.at[i], primes_[i]);
  return c;
}

Mark Ring::of(FloatFormat format, std::uint64_t bits) const {
  const Split parts = parts_of(format, bits);
  if (!parts.finite) {
    const Layout& layout = layouts[static_cast<int>(format)];
    const bool is_nan = (bits & ((std::uint64_t{1} << layout.fraction) - 1)) != 0;
    return of_function(is_nan ? "NaN" : parts.negative ? "-inf" : "inf", {});
  }
  Mark mark;
  for (std::size_t i = 0; i < 2; ++i)
    mark.at[i] = times(parts.whole % primes_[i], powers_[i][parts.exponent - least], primes_[i]);
  return parts.negative ? difference({}, mark) : mark;
}

Mark Ring::of_function(std::string_view name, std::span<const Mark> arguments) const {
  Mark mark;
  for (std::size_t i = 0; i < 2; ++i) {
    std::uint64_t state = mixed(primes_[i]);
    for (const char c : name) state = mixed(state ^ static_cast<unsigned char>(c));
    for (const Mark& argument : arguments) state = mixed(state ^ argument.at[i]);
    mark.at[i] = state % primes_[i];
  }
  return mark;
}

}  // namespace wedjat::traces
