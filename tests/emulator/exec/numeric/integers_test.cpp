// Integer helpers and float to integer conversion against plain definitions.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "emulator/exec/numeric/lane_bits.h"
#include "emulator/exec/numeric/numeric.h"
#include "tests/emulator/exec/numeric/patterns.h"

namespace wedjat::exec::numeric::test {
namespace {

template <class I, IntegralMode mode, class R>
I defined(R x) {
  long double whole = static_cast<long double>(x);
  switch (mode) {
    case IntegralMode::rni:
      whole = nearbyintl(whole);
      break;
    case IntegralMode::rzi:
      whole = truncl(whole);
      break;
    case IntegralMode::rmi:
      whole = floorl(whole);
      break;
    case IntegralMode::rpi:
      whole = ceill(whole);
      break;
  }
  if (whole < static_cast<long double>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  if (whole > static_cast<long double>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  return static_cast<I>(whole);
}

template <class F, class I, IntegralMode mode>
void check_conversion(std::mt19937_64& random) {
  for (int i = 0; i < 20'000; ++i) {
    auto x = F::real(any_pattern<F>(random));
    // Around the ends of I.
    if (i % 4 == 0)
      x = static_cast<decltype(x)>(
          std::ldexp(1 + 0x1p-50 * static_cast<double>(random() & 3), static_cast<int>(random() % 66)));
    if (std::isnan(x)) continue;
    REQUIRE(clamp_to<I>(integral<mode>(x)) == defined<I, mode>(x));
    REQUIRE(clamp_to<I>(integral<mode>(-x)) == defined<I, mode>(-x));
  }
}

template <class F, class I>
void check_modes(std::mt19937_64& random) {
  check_conversion<F, I, IntegralMode::rni>(random);
  check_conversion<F, I, IntegralMode::rzi>(random);
  check_conversion<F, I, IntegralMode::rmi>(random);
  check_conversion<F, I, IntegralMode::rpi>(random);
}

template <class F>
void check_types(std::mt19937_64& random) {
  check_modes<F, u8>(random);
  check_modes<F, s8>(random);
  check_modes<F, u16>(random);
  check_modes<F, s16>(random);
  check_modes<F, u32>(random);
  check_modes<F, s32>(random);
  check_modes<F, u64>(random);
  check_modes<F, s64>(random);
}

}  // namespace

TEST_CASE("float to integer clamps") {
  std::mt19937_64 random(3);
  check_types<f32>(random);
  check_types<f64>(random);
  check_types<f16>(random);
}

TEST_CASE("32-bit division through double") {
  std::mt19937_64 random(5);
  const s64 corners[] = {0, 1, -1, 2, 3, 0x7fffffff, -0x80000000LL, 0xffffffffLL, 0xfffffffeLL, 0x10001, -7};
  for (const s64 a : corners)
    for (const s64 b : corners) {
      CHECK(quotient32(a, b) == (b == 0 ? 0 : a / b));
      CHECK(remainder32(a, b) == (b == 0 ? 0 : a % b));
    }
  for (int i = 0; i < 5'000'000; ++i) {
    const s64 a = u32(random()) >> (random() & 31), b = u32(random()) >> (random() & 31);
    if (quotient32(a, b) != (b == 0 ? 0 : a / b)) FAIL("wrong quotient of ", a, " and ", b);
    const s64 multiple = b == 0 ? 0 : a / b * b;
    if (b != 0 && quotient32(multiple - 1, b) != (multiple - 1) / b)
      FAIL("wrong quotient of ", multiple, " - 1 and ", b);
  }
}

TEST_CASE("division never traps") {
  const s64 least = std::numeric_limits<s64>::min();
  CHECK(quotient(least, s64(-1)) == least);
  CHECK(remainder(least, s64(-1)) == 0);
  CHECK(quotient(s64(-7), s64(2)) == -3);
  CHECK(remainder(s64(-7), s64(2)) == -1);
  CHECK(quotient(s64(7), s64(0)) == 0);
  CHECK(remainder(u64(7), ~u64(0)) == 7);
  CHECK(quotient(~u64(0), ~u64(0)) == 1);
}

TEST_CASE("shifts by any amount") {
  CHECK(shift_left(u32(1), 31) == 0x80000000u);
  CHECK(shift_left(u32(1), 32) == 0);
  CHECK(shift_left(u64(1), 1000) == 0);
  CHECK(shift_right(s32(-5), 40) == -1);
  CHECK(shift_right(u32(5), 32) == 0);
  CHECK(shift_right(u64(1) << 63, 63) == 1);
  CHECK(shift_right(s128(-1) << 100, 127) == -1);
}

TEST_CASE("counting bits") {
  CHECK(highest_bit(u32(0)) == -1);
  CHECK(highest_bit(u64(1) << 40) == 40);
  CHECK(highest_bit(u128(1) << 100) == 100);
  CHECK(popcount(~u128(0)) == 128);
  CHECK(sign_extend<4>(u32(8)) == -8);
}

TEST_CASE("filters on patterns") {
  CHECK(flush<f32>(0x80000001u) == 0x80000000u);
  CHECK(flush<f32>(0x00800000u) == 0x00800000u);
  CHECK(unit_clamp<f32>(0x7fc00000u) == 0);
  CHECK(unit_clamp<f32>(0x80000000u) == 0);
  CHECK(unit_clamp<f32>(0xffc00000u) == 0);
  CHECK(unit_clamp<f32>(0x40000000u) == f32::one);
  CHECK(unit_clamp<f32>(0x7f800000u) == f32::one);
  CHECK(unit_clamp<f16>(0x3800) == 0x3800);
  CHECK(is_subnormal<f16>(1));
  CHECK(!is_subnormal<f16>(0));
  CHECK(!is_subnormal<f16>(0x8000));
  CHECK(!is_subnormal<f16>(0x400));
}

TEST_CASE("truth values become a predicate") {
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) {
    const u32 expected = random();
    alignas(32) u8 truth[32];
    for (u32 lane = 0; lane < 32; ++lane) truth[lane] = u8(expected >> lane & 1);
    CHECK(lane_bits(truth) == expected);
    CHECK(lane_bits_by_products(truth) == expected);
  }
}

}  // namespace wedjat::exec::numeric::test
