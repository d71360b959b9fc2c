// Rounding into f16, bf16 and tf32, and arithmetic in f16 and bf16, against MPFR.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "tests/emulator/exec/numeric/mpfr_reference.h"
#include "tests/emulator/exec/numeric/patterns.h"

namespace wedjat::exec::numeric::test {
namespace {

constexpr int count = 400'000;

void report(int& wrong, u64 got, u64 expected, u64 a, u64 b, u64 c) {
  if (got != expected && ++wrong < 5)
    FAIL_CHECK(fmt::format("{:x} {:x} {:x} gives {:x}, not {:x}", a, b, c, got, expected));
}

template <class F, class S, Mode mode>
void check_narrow() {
  std::mt19937_64 random(7);
  static Number x(53);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    auto pattern = any_pattern<S>(random);
    if (i % 2 == 0) {
      // Near F's numbers and the midpoints between them.
      const auto near = std::bit_cast<decltype(pattern)>(
          static_cast<decltype(S::real(0))>(F::real(any_pattern<F>(random))));
      const auto half = decltype(pattern)(1) << (S::fraction_bits - F::fraction_bits - 1);
      pattern = near + (i % 4 == 0 ? half : 0) + decltype(pattern)(i / 4 % 3) - 1;
    }
    mpfr_set_d(x.value, S::real(pattern), MPFR_RNDN);
    const u64 expected = reference<F>(
        mode, [&](mpfr_t result, mpfr_rnd_t rounding) { return mpfr_set(result, x.value, rounding); });
    report(wrong, narrow<F, mode>(odd::to_float(S::real(pattern))), expected, pattern, 0, 0);
    report(wrong, narrow_shifted<F, mode>(odd::to_float(S::real(pattern))), expected, pattern, 0, 1);
  }
  CHECK(wrong == 0);
}

template <class F>
void check_narrow_all() {
  check_narrow<F, f32, Mode::rn>();
  check_narrow<F, f32, Mode::rz>();
  check_narrow<F, f32, Mode::rm>();
  check_narrow<F, f32, Mode::rp>();
  check_narrow<F, f64, Mode::rn>();
  check_narrow<F, f64, Mode::rz>();
  check_narrow<F, f64, Mode::rm>();
  check_narrow<F, f64, Mode::rp>();
}

template <class F>
void check_arithmetic() {
  std::mt19937_64 random(11);
  static Number a(53), b(53), c(53);
  int wrong = 0;
  // As executors compute: float holds what f16 needs, bf16 needs double.
  using R = std::conditional_t<std::is_same_v<F, f16>, float, double>;
  const auto rounded = [](R odd) { return narrow<F, Mode::rn>(odd::to_float(odd)); };
  // The processor's own arithmetic, if it has any, and what stands in for it.
  using Host = Arithmetic<F>;
  using Float = InFloat<F>;
  for (int i = 0; i < count; ++i) {
    const u16 x = any_pattern<F>(random), y = any_pattern<F>(random), z = any_pattern<F>(random);
    mpfr_set_d(a.value, F::real(x), MPFR_RNDN);
    mpfr_set_d(b.value, F::real(y), MPFR_RNDN);
    mpfr_set_d(c.value, F::real(z), MPFR_RNDN);
    const auto expect = [&](auto operation) {
      return reference<F>(Mode::rn,
                          [&](mpfr_t result, mpfr_rnd_t rounding) { return operation(result, rounding); });
    };
    report(wrong, rounded(odd::add(R(F::real(x)), R(F::real(y)))),
           expect([&](auto r, auto m) { return mpfr_add(r, a.value, b.value, m); }), x, y, 1);
    report(wrong, rounded(odd::multiply(R(F::real(x)), R(F::real(y)))),
           expect([&](auto r, auto m) { return mpfr_mul(r, a.value, b.value, m); }), x, y, 2);
    report(wrong, rounded(odd::divide(R(F::real(x)), R(F::real(y)))),
           expect([&](auto r, auto m) { return mpfr_div(r, a.value, b.value, m); }), x, y, 3);
    report(wrong, rounded(odd::root(R(F::real(x)))),
           expect([&](auto r, auto m) { return mpfr_sqrt(r, a.value, m); }), x, 0, 4);
    report(wrong, rounded(odd::fused(R(F::real(x)), R(F::real(y)), R(F::real(z)))),
           expect([&](auto r, auto m) { return mpfr_fma(r, a.value, b.value, c.value, m); }), x, y, z);
    const u64 add = expect([&](auto r, auto m) { return mpfr_add(r, a.value, b.value, m); });
    report(wrong, Host::sum(x, y), add, x, y, 5);
    report(wrong, Float::sum(x, y), add, x, y, 6);
    const u64 subtract = expect([&](auto r, auto m) { return mpfr_sub(r, a.value, b.value, m); });
    report(wrong, Host::difference(x, y), subtract, x, y, 7);
    report(wrong, Float::difference(x, y), subtract, x, y, 8);
    const u64 multiply = expect([&](auto r, auto m) { return mpfr_mul(r, a.value, b.value, m); });
    report(wrong, Host::product(x, y), multiply, x, y, 9);
    report(wrong, Float::product(x, y), multiply, x, y, 10);
    const u64 fma = expect([&](auto r, auto m) { return mpfr_fma(r, a.value, b.value, c.value, m); });
    report(wrong, Host::fused(x, y, z), fma, x, y, z);
    report(wrong, Float::fused(x, y, z), fma, x, y, z);
  }
  CHECK(wrong == 0);
}

template <class F, Mode mode>
void check_directed() {
  std::mt19937_64 random(17);
  static Number a(53), b(53), c(53);
  using R = std::conditional_t<std::is_same_v<F, f16>, float, double>;
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const u16 x = any_pattern<F>(random), y = any_pattern<F>(random);
    u16 z = any_pattern<F>(random);
    if (i % 4 == 0)
      z = negate<F>(narrow<F, Mode::rz>(odd::to_float(R(F::real(x)) * R(F::real(y)))));  // sums that cancel
    mpfr_set_d(a.value, F::real(x), MPFR_RNDN);
    mpfr_set_d(b.value, F::real(y), MPFR_RNDN);
    mpfr_set_d(c.value, F::real(z), MPFR_RNDN);
    const R p = F::real(x), q = F::real(y), r = F::real(z);
    const R sum = mode == Mode::rm ? odd::fused_down(p, q, r) : odd::fused(p, q, r);
    const u64 expected = reference<F>(mode, [&](mpfr_t result, mpfr_rnd_t rounding) {
      return mpfr_fma(result, a.value, b.value, c.value, rounding);
    });
    report(wrong, narrow<F, mode>(odd::to_float(sum)), expected, x, y, z);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("directed fma in bf16 and f16") {
  check_directed<bf16, Mode::rz>();
  check_directed<bf16, Mode::rm>();
  check_directed<bf16, Mode::rp>();
  check_directed<f16, Mode::rm>();
}

TEST_CASE("narrowing to f16") { check_narrow_all<f16>(); }
TEST_CASE("narrowing to bf16") { check_narrow_all<bf16>(); }
TEST_CASE("arithmetic in f16 is rounded once") { check_arithmetic<f16>(); }
TEST_CASE("arithmetic in bf16 is rounded once") { check_arithmetic<bf16>(); }

TEST_CASE("every f16 is widened exactly") {
  for (u32 pattern = 0; pattern < 0x10000; ++pattern) {
    const double real = f16::real(u16(pattern));
    if (!is_nan<f16>(u16(pattern)))
      CHECK(pattern_of<f16>(real) == pattern);
    else
      CHECK(std::isnan(real));
  }
}

TEST_CASE("64-bit integers become f16, bf16 rounded once") {
  std::mt19937_64 random(13);
  static Number x(64);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    u64 value = random() >> (random() & 63);
    if (i % 3 == 0) value = (u64(1) << (random() & 63)) + (random() & 3) - 1;
    mpfr_set_ui(x.value, value, MPFR_RNDN);
    const auto expect = [&](auto format, Mode mode) {
      return reference<decltype(format)>(mode,
                                         [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_set(r, x.value, m); });
    };
    report(wrong, narrow<bf16, Mode::rn>(odd::to_float(odd::of_unsigned(value))), expect(bf16{}, Mode::rn),
           value, 0, 0);
    report(wrong, narrow<f16, Mode::rp>(odd::to_float(odd::of_unsigned(value))), expect(f16{}, Mode::rp),
           value, 0, 0);
    mpfr_set_si(x.value, s64(value), MPFR_RNDN);
    report(wrong, narrow<bf16, Mode::rm>(odd::to_float(odd::of_signed(s64(value)))), expect(bf16{}, Mode::rm),
           value, 0, 1);
  }
  CHECK(wrong == 0);
}

TEST_CASE("f16 as f32, by the processor and without it") {
  int wrong = 0;
  for (u32 x = 0; x < 0x10000u; ++x) {
    const float host = f16::real(u16(x)), shifted = f16::shifted(u16(x));
    const bool same =
        std::isnan(host) ? std::isnan(shifted) : std::bit_cast<u32>(host) == std::bit_cast<u32>(shifted);
    report(wrong, same, true, x, 0, 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("the reference notices a result rounded twice") {
  // 1 + 2^-8 + 2^-30 in f32 is 1 + 2^-8, a tie in bf16 that goes to 1; exactly it lies above the tie.
  const double exact = 1 + 0x1p-8 + 0x1p-30;
  const u16 twice = narrow<bf16, Mode::rn>(static_cast<float>(exact));
  const u16 once = narrow<bf16, Mode::rn>(odd::to_float(exact));
  CHECK(twice != once);
}

}  // namespace wedjat::exec::numeric::test
