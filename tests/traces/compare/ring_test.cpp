// Exact values modulo two primes.
#include "traces/compare/ring.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

using namespace wedjat::traces;

namespace {

const Ring ring(7);

Mark of(float value) { return ring.of(FloatFormat::f32, std::bit_cast<std::uint32_t>(value)); }
Mark of(double value) { return ring.of(FloatFormat::f64, std::bit_cast<std::uint64_t>(value)); }

}  // namespace

TEST_CASE("a number is the same in every format, and another one is not") {
  for (const float value : {0.0f, 1.0f, -1.5f, 3e38f, 1e-45f, -1e-40f}) {
    CHECK(of(value) == of(static_cast<double>(value)));
    CHECK_FALSE(of(value) == of(std::nextafter(static_cast<double>(value), 1e300)));
  }
  CHECK(ring.of(FloatFormat::f16, 0x3c00) == of(1.0f));
  CHECK(ring.of(FloatFormat::f16, 0x8001) == of(-std::ldexp(1.0, -24)));
  CHECK(ring.of(FloatFormat::bf16, 0xc040) == of(-3.0f));
  CHECK(of(-0.0f) == of(0.0f));
}

TEST_CASE("sums, differences and products are exact, also where floats are not") {
  CHECK(ring.sum(of(1e30f), of(1e-30f)) == ring.sum(of(1e-30f), of(1e30f)));
  CHECK_FALSE(ring.sum(of(1e30f), of(1e-30f)) == of(1e30f));
  CHECK(ring.difference(ring.sum(of(1e300), of(1.0)), of(1e300)) == of(1.0));
  CHECK(ring.product(of(3.0), of(-0.5)) == of(-1.5));
  CHECK(ring.product(of(1e-320), of(1e308)) == ring.product(of(1e308), of(1e-320)));
  const Mark a = of(1.1f), b = of(-7e-5f), c = of(9e8f);
  CHECK(ring.product(a, ring.sum(b, c)) == ring.sum(ring.product(a, b), ring.product(a, c)));
}

TEST_CASE("infinities, NaNs and functions have marks of their own") {
  CHECK_FALSE(of(INFINITY) == of(-INFINITY));
  CHECK(of(INFINITY) == of(static_cast<double>(INFINITY)));
  CHECK(of(NAN) == ring.of(FloatFormat::f16, 0x7fff));
  const Mark one[] = {of(1.0f)}, two[] = {of(2.0f)};
  CHECK(ring.of_function("f", one) == ring.of_function("f", one));
  CHECK_FALSE(ring.of_function("f", one) == ring.of_function("f", two));
  CHECK_FALSE(ring.of_function("f", one) == ring.of_function("g", one));
}

TEST_CASE("other seeds are other primes") {
  CHECK_FALSE(Ring(8).of(FloatFormat::f32, 0x3f000000) == ring.of(FloatFormat::f32, 0x3f000000));
}
