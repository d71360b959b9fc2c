// Sums of products as tensor cores form them: examples worked out by hand, and the judge on hard inputs.
#include "emulator/exec/matrix/aligned.h"

#include <doctest/doctest.h>

#include <random>

#include "semcc/eval/aligned.h"

namespace {

using wedjat::exec::matrix::AlignedProduct;
using wedjat::exec::matrix::Format;
using wedjat::exec::matrix::multiply_aligned;

constexpr AlignedProduct half{Format::f16, Format::f16, Format::f32, 1, 8, 16, 16, 25, -133, 24};
constexpr AlignedProduct half_to_half{Format::f16, Format::f16, Format::f16, 1, 8, 16, 16, 25, -21, 11};
constexpr AlignedProduct brain{Format::bf16, Format::bf16, Format::f32, 1, 8, 16, 16, 25, -133, 24};
constexpr AlignedProduct tensor{Format::tf32, Format::tf32, Format::f32, 1, 8, 8, 4, 25, -133, 24};
constexpr AlignedProduct eighth{Format::e4m3, Format::e5m2, Format::f32, 1, 8, 32, 32, 13, -133, 14};
constexpr AlignedProduct eighth_to_half{Format::e5m2, Format::e4m3, Format::f16, 1, 8, 32, 32, 13, -21, 11};
constexpr AlignedProduct plain_eighth{Format::e4m3, Format::e4m3, Format::f32, 1, 8, 32, 32, 13, -133, 14};

unsigned bits_of(Format format) {
  if (format == Format::e4m3 || format == Format::e5m2) return 8;
  return format == Format::f16 || format == Format::bf16 ? 16 : 32;
}

// Patterns of any format, stored as it is.
struct Patterns {
  explicit Patterns(Format format, std::size_t count) : bits(bits_of(format)), bytes(count * bits / 8) {}
  void set(std::size_t i, std::uint32_t pattern) {
    for (unsigned byte = 0; byte < bits / 8; ++byte)
      bytes[i * bits / 8 + byte] = static_cast<std::uint8_t>(pattern >> 8 * byte);
  }
  std::uint32_t get(std::size_t i) const {
    std::uint32_t pattern = 0;
    for (unsigned byte = bits / 8; byte-- > 0;) pattern = pattern << 8 | bytes[i * bits / 8 + byte];
    return pattern;
  }
  unsigned bits;
  std::vector<std::uint8_t> bytes;
};

struct Example {
  const char* what;
  AlignedProduct shape;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> products;
  std::uint32_t c, d;
};

const std::vector<Example> examples{
    {"an addend on the grid, then truncation", half, {{0x3c00, 0x3c00}}, 0x33000000, 0x3f800000},
    {"1 - 2^-25 is kept", half, {{0x3c00, 0x3c00}}, 0xb3000000, 0x3f7fffff},
    {"1 - 2^-26 is below the grid", half, {{0x3c00, 0x3c00}}, 0xb2800000, 0x3f800000},
    {"1.5 * 1.5 has exponent 0", half, {{0x3e00, 0x3e00}}, 0xb3000000, 0x400fffff},
    {"each product is truncated by itself",
     half,
     {{0x3c00, 0x3c00}, {0x800, 0x800}, {0x800, 0x800}, {0x800, 0x800}},
     0,
     0x3f800000},
    {"zero is positive", half, {{0x8000, 0x3c00}, {0, 0x8000}}, 0x80000000, 0},
    {"f16 overflows", half_to_half, {{0x7bff, 0x7bff}}, 0, 0x7c00},
    {"f32 overflows although it truncates", brain, {{0x5f80, 0x5f80}}, 0, 0x7f800000},
    {"a finite product is never infinite",
     brain,
     {{0x5f80, 0x5f80}, {0x5f80, 0xdf80}, {0x3f80, 0x3f80}},
     0,
     0},
    {"underflow gives +0", brain, {{0x9a00, 0x1a00}}, 0, 0},
    {"the least subnormal", brain, {{0x9a80, 0x1a00}}, 0, 0x80000001},
    {"infinity times zero", half, {{0x7c00, 0}}, 0, 0x7fffffff},
    {"a tie to even", half_to_half, {{0x3c00, 0x3c00}, {0x1000, 0x3c00}}, 0, 0x3c00},
    {"no tie", half_to_half, {{0x3c00, 0x3c00}, {0x1000, 0x3c00}, {0xc00, 0xc00}}, 0, 0x3c01},
    {"fp8: on the grid", plain_eighth, {{0x38, 0x38}}, 0x39000000, 0x3f800400},
    {"fp8: below the grid", plain_eighth, {{0x38, 0x38}}, 0x38800000, 0x3f800000},
    {"fp8: c is cut to 14 bits", plain_eighth, {}, 0x3f8fffff, 0x3f8ffc00},
};

std::uint32_t computed(const AlignedProduct& shape, const Patterns& a, const Patterns& b, const Patterns& c,
                       Patterns& d) {
  multiply_aligned(shape, a.bytes.data(), b.bytes.data(), c.bytes.data(), d.bytes.data(), nullptr,
                   shape.inner);
  return d.get(0);
}

semcc::ir::Format judged(Format format) {
  using F = semcc::ir::Format;
  static constexpr F names[] = {F::e4m3, F::e5m2, F::f16, F::bf16, F::tf32, F::f32};
  return names[static_cast<int>(format)];
}

// Patterns whose exponents meet: everywhere, near one another, in two clusters, among corners.
std::uint32_t any_pattern(Format format, unsigned mood, std::mt19937_64& random) {
  const unsigned bits = bits_of(format);
  const unsigned fraction_bits = format == Format::e4m3   ? 3
                                 : format == Format::e5m2 ? 2
                                 : format == Format::f16  ? 10
                                 : format == Format::bf16 ? 7
                                                          : 23;
  const unsigned exponent_bits = bits - 1 - fraction_bits, bias = (1u << (exponent_bits - 1)) - 1;
  const auto pattern = static_cast<std::uint32_t>(random()) & (bits == 32 ? ~0u : (1u << bits) - 1);
  const std::uint32_t rest = pattern & ~(((1u << exponent_bits) - 1) << fraction_bits);
  const auto with = [&](unsigned exponent) {
    return rest | (exponent & ((1u << exponent_bits) - 1)) << fraction_bits;
  };
  const unsigned top = (1u << exponent_bits) - 2;
  switch (mood) {
    case 0:
      return pattern;
    case 1:
      return with(bias - 3 + static_cast<unsigned>(random() % 6));
    case 2:
      return with(random() % 2 == 0 ? bias : bias - std::min(bias - 1, 13u));
    case 3:
      return with(static_cast<unsigned>(random() % 3));
    case 4:
      return with(top - static_cast<unsigned>(random() % 3));
    case 5:
      return random() % 3 == 0 ? 0 : with(static_cast<unsigned>(random() % (top + 1)));
    default:
      return with(static_cast<unsigned>(random() % (top + 1)));
  }
}

}  // namespace

TEST_CASE("examples worked out by hand") {
  for (const Example& example : examples) {
    CAPTURE(example.what);
    const AlignedProduct& shape = example.shape;
    Patterns a(shape.a, shape.inner), b(shape.b, shape.inner * 8), c(shape.d, 8), d(shape.d, 8);
    for (std::size_t k = 0; k < example.products.size(); ++k) {
      a.set(k, example.products[k].first);
      b.set(k * 8, example.products[k].second);
    }
    c.set(0, example.c);
    CHECK(computed(shape, a, b, c, d) == example.d);
  }
}

TEST_CASE("executors and judge agree on hard inputs") {
  std::mt19937_64 random(7);
  int different = 0;
  for (const AlignedProduct& shape :
       {half, half_to_half, brain, tensor, eighth, eighth_to_half, plain_eighth})
    for (int round = 0; round < 300; ++round) {
      const auto mood_a = static_cast<unsigned>(random() % 7), mood_b = static_cast<unsigned>(random() % 7),
                 mood_c = static_cast<unsigned>(random() % 8);
      Patterns a(shape.a, shape.inner), b(shape.b, shape.inner * 8), c(shape.d, 8), d(shape.d, 8);
      for (std::uint32_t k = 0; k < shape.inner; ++k) a.set(k, any_pattern(shape.a, mood_a, random));
      for (std::uint32_t i = 0; i < shape.inner * 8; ++i) b.set(i, any_pattern(shape.b, mood_b, random));
      for (std::uint32_t i = 0; i < 8; ++i) c.set(i, mood_c == 7 ? 0 : any_pattern(shape.d, mood_c, random));
      if (round % 3 == 0)  // cancellation: the second half takes the first one back, but for the addend
        for (std::uint32_t k = 0; k < shape.inner / 2; ++k) {
          a.set(shape.inner / 2 + k, a.get(k));
          for (std::uint32_t n = 0; n < 8; ++n)
            b.set((shape.inner / 2 + k) * 8 + n, b.get(k * 8 + n) ^ 1u << (b.bits - 1));
        }
      computed(shape, a, b, c, d);
      semcc::ir::Multiply how{true,
                              shape.block,
                              static_cast<unsigned>(shape.fraction),
                              shape.floor,
                              shape.significant,
                              shape.d == Format::f32 ? semcc::ir::Rounding::rz : semcc::ir::Rounding::rn};
      for (std::uint32_t n = 0; n < 8; ++n) {
        std::vector<semcc::eval::Pattern> left, right;
        for (std::uint32_t k = 0; k < shape.inner; ++k) {
          left.push_back({a.get(k), judged(shape.a)});
          right.push_back({b.get(k * 8 + n), judged(shape.b)});
        }
        const mpz_class wanted = semcc::eval::aligned_sum(how, judged(shape.d), left, right, c.get(n));
        if (wanted != d.get(n) && ++different < 10)
          FAIL_CHECK("format ", static_cast<int>(shape.a), " to ", static_cast<int>(shape.d), ", moods ",
                     mood_a, mood_b, mood_c, ": ", d.get(n), ", not ", wanted.get_ui());
      }
    }
  CHECK(different == 0);
}

TEST_CASE("a changed rule is noticed") {
  std::mt19937_64 random(3);
  AlignedProduct coarse = half;
  coarse.fraction = 24;
  Patterns a(Format::f16, 16), b(Format::f16, 16 * 8), c(Format::f32, 8), right(Format::f32, 8),
      wrong(Format::f32, 8);
  int different = 0;
  for (int round = 0; round < 100; ++round) {
    for (std::uint32_t i = 0; i < 16; ++i) a.set(i, any_pattern(Format::f16, 1, random));
    for (std::uint32_t i = 0; i < 128; ++i) b.set(i, any_pattern(Format::f16, 1, random));
    computed(half, a, b, c, right);
    computed(coarse, a, b, c, wrong);
    different += right.bytes != wrong.bytes;
  }
  CHECK(different > 50);
}
