// f32 and f64 arithmetic in every rounding mode, as executors do it, against MPFR.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <vector>

#include "tests/emulator/exec/numeric/mpfr_reference.h"
#include "tests/emulator/exec/numeric/patterns.h"

namespace wedjat::exec::numeric::test {
namespace {

constexpr int count = 400'000;

template <class F>
struct Rows {
  std::vector<typename F::Bits> a, b, c, result;
};

enum class Operation { add, subtract, multiply, divide, root, fused };

// As executors have it: not inlined, from rows to rows.
template <class F, Operation operation>
[[gnu::noinline]] void compute(Rows<F>& rows) {
#pragma clang loop vectorize(assume_safety)
  for (int i = 0; i < count; ++i) {
    const auto a = F::real(rows.a[i]), b = F::real(rows.b[i]), c = F::real(rows.c[i]);
    if constexpr (operation == Operation::add) rows.result[i] = F::of(a + b);
    if constexpr (operation == Operation::subtract) rows.result[i] = F::of(a - b);
    if constexpr (operation == Operation::multiply) rows.result[i] = F::of(a * b);
    if constexpr (operation == Operation::divide) rows.result[i] = F::of(a / b);
    if constexpr (operation == Operation::root)
      rows.result[i] = F::of(static_cast<decltype(a)>(__builtin_sqrt(a)));
    if constexpr (operation == Operation::fused) {
      if constexpr (sizeof(a) == 4)
        rows.result[i] = F::of(__builtin_fmaf(a, b, c));
      else
        rows.result[i] = F::of(__builtin_fma(a, b, c));
    }
  }
}

template <class F, Operation operation>
void check(Mode mode) {
  std::mt19937_64 random(static_cast<unsigned>(mode) * 16 + static_cast<unsigned>(operation));
  Rows<F> rows;
  for (auto* row : {&rows.a, &rows.b, &rows.c})
    for (int i = 0; i < count; ++i) row->push_back(any_pattern<F>(random));
  rows.result.resize(count);
  static constexpr HostRounding modes[] = {HostRounding::nearest, HostRounding::zero, HostRounding::down,
                                           HostRounding::up};
  {
    const RoundingScope scope(modes[static_cast<int>(mode)]);
    compute<F, operation>(rows);
  }
  static Number a(53), b(53), c(53);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    mpfr_set_d(a.value, F::real(rows.a[i]), MPFR_RNDN);
    mpfr_set_d(b.value, F::real(rows.b[i]), MPFR_RNDN);
    mpfr_set_d(c.value, F::real(rows.c[i]), MPFR_RNDN);
    const u64 expected = reference<F>(mode, [&](mpfr_t result, mpfr_rnd_t rounding) {
      switch (operation) {
        case Operation::add:
          return mpfr_add(result, a.value, b.value, rounding);
        case Operation::subtract:
          return mpfr_sub(result, a.value, b.value, rounding);
        case Operation::multiply:
          return mpfr_mul(result, a.value, b.value, rounding);
        case Operation::divide:
          return mpfr_div(result, a.value, b.value, rounding);
        case Operation::root:
          return mpfr_sqrt(result, a.value, rounding);
        default:
          return mpfr_fma(result, a.value, b.value, c.value, rounding);
      }
    });
    const u64 got = is_nan<F>(rows.result[i]) ? u64(F::canonical_nan) : u64(rows.result[i]);
    if (got != expected && ++wrong < 5)
      FAIL_CHECK(fmt::format("{:x} {:x} {:x} gives {:x}, not {:x}: mode {}, operation {}", rows.a[i],
                             rows.b[i], rows.c[i], got, expected, static_cast<int>(mode),
                             static_cast<int>(operation)));
  }
  CHECK(wrong == 0);
}

template <class F>
void check_all() {
  for (const Mode mode : {Mode::rn, Mode::rz, Mode::rm, Mode::rp}) {
    check<F, Operation::add>(mode);
    check<F, Operation::subtract>(mode);
    check<F, Operation::multiply>(mode);
    check<F, Operation::divide>(mode);
    check<F, Operation::root>(mode);
    check<F, Operation::fused>(mode);
  }
}

}  // namespace

TEST_CASE("f32 arithmetic is exact in every mode") { check_all<f32>(); }
TEST_CASE("f64 arithmetic is exact in every mode") { check_all<f64>(); }

}  // namespace wedjat::exec::numeric::test
