#include "emulator/exec/matrix/aligned.h"

#include <algorithm>
#include <cstring>

#include "emulator/exec/matrix/finish.h"
#include "emulator/exec/matrix/special.h"

namespace wedjat::exec::matrix {
namespace {

constexpr std::uint32_t most_rows = 16, most_columns = 256, most_inner = 128;

template <class T, int width>
using Vector = T __attribute__((ext_vector_type(width)));

template <class T, int width>
[[gnu::always_inline]] inline Vector<T, width> load(const T* from) {
  Vector<T, width> values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

// Factors of a matrix, apart: values, exponents, and whether a line of them holds an infinity or a NaN.
template <class Value, std::uint32_t size>
struct Factors {
  alignas(64) Value value[size];
  alignas(64) std::int16_t exponent[size];
  bool any_special = false;
};

template <Format format, class Value, std::uint32_t size>
void take(Factors<Value, size>& factors, const void* patterns, std::uint32_t count) {
  const auto* pattern = static_cast<const Pattern<format>*>(patterns);
  std::uint32_t special = 0;
#pragma clang loop vectorize(assume_safety)
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto factor = factor_of<format>(pattern[i]);
    factors.value[i] = factor.value;
    factors.exponent[i] = factor.exponent;
    special |= factor.special;
  }
  factors.any_special = special != 0;
}

// The exponent an addend is aligned by.
template <int width>
[[gnu::always_inline]] inline Vector<std::int32_t, width> exponents(Vector<std::int32_t, width> pattern,
                                                                    Format format) {
  using Words = Vector<std::int32_t, width>;
  const int bits = format == Format::f32 ? 23 : 10, bias = format == Format::f32 ? 127 : 15;
  const Words magnitude = pattern & (format == Format::f32 ? 0x7fffffff : 0x7fff);
  const Words exponent = __builtin_elementwise_max(magnitude >> bits, Words{} + 1) - bias;
  return magnitude == 0 ? Words{} + no_exponent : exponent;
}

[[gnu::always_inline]] inline Eight64 addends(Eight32Bits pattern, Format format) {
  if (format == Format::f32) return __builtin_convertvector(reinterpret_cast<Eight32>(pattern), Eight64);
  const Eight32Bits magnitude = pattern & 0x7fff;
  const Eight32 small = __builtin_convertvector(magnitude, Eight32) * 0x1p-24f;
  const Eight32Bits normal = (magnitude << 13) + (112 << 23);
  const Eight32Bits bits =
      (magnitude < 0x400 ? reinterpret_cast<Eight32Bits>(small) : normal) | (pattern & 0x8000) << 16;
  return __builtin_convertvector(reinterpret_cast<Eight32>(bits), Eight64);
}

[[gnu::always_inline]] inline Eight64 power_of_two(Eight64Bits exponent) {
  return reinterpret_cast<Eight64>((exponent + 1023) << 52);
}

template <class Value, int width>
[[gnu::always_inline]] inline Vector<Value, width> scale_of(Vector<std::int32_t, width> exponent) {
  if constexpr (sizeof(Value) == 8) {
    const auto wide = __builtin_convertvector(exponent, Vector<std::int64_t, width>);
    return reinterpret_cast<Vector<double, width>>((wide + 1023) << 52);
  } else {
    // Only where all products are zero can the exponent be out of range.
    const auto field = __builtin_elementwise_min(exponent + 127, Vector<std::int32_t, width>{} + 254);
    return reinterpret_cast<Vector<float, width>>(
        __builtin_elementwise_max(field, Vector<std::int32_t, width>{} + 1) << 23);
  }
}

template <class Value>
struct Line {
  const Value* value;
  const std::int16_t* exponent;
};

// One block of `width` results in a row: those at column `n` and after.
template <class Value, int width>
[[gnu::always_inline]] inline void block_row(const AlignedProduct& shape, Line<Value> a, const Line<Value>* b,
                                             std::uint32_t n, Vector<std::int32_t, width> c,
                                             Vector<std::int32_t, width>& d) {
  using Words = Vector<std::int32_t, width>;
  auto shorts = Vector<std::int16_t, width>{} + static_cast<std::int16_t>(shape.floor);
  for (std::uint32_t k = 0; k < shape.block; ++k)
    shorts = __builtin_elementwise_max(shorts, load<std::int16_t, width>(b[k].exponent + n) + a.exponent[k]);
  const Words greatest =
      __builtin_elementwise_max(__builtin_convertvector(shorts, Words), exponents<width>(c, shape.d));
  const auto scale = scale_of<Value, width>(shape.fraction - greatest);
  Words sum{};
  for (std::uint32_t k = 0; k < shape.block; ++k)
    sum += __builtin_convertvector(load<Value, width>(b[k].value + n) * a.value[k] * scale, Words);
  for (int half = 0; half < width; half += 8) {
    Eight32Bits products, addend, top, result;
    for (int i = 0; i < 8; ++i)
      products[i] = sum[half + i], addend[i] = c[half + i], top[i] = greatest[half + i];
    const Eight64Bits unit = __builtin_convertvector(top, Eight64Bits) - shape.fraction;
    const Eight32Bits aligned =
        __builtin_convertvector(addends(addend, shape.d) * power_of_two(-unit), Eight32Bits);
    const Eight64 exact =
        (__builtin_convertvector(products, Eight64) + __builtin_convertvector(aligned, Eight64)) *
        power_of_two(unit);
    result = shape.d == Format::f32 ? truncated_f32(exact, shape.significant) : nearest_f16(exact);
    for (int i = 0; i < 8; ++i) d[half + i] = result[i];
  }
}

bool is_special(std::uint32_t pattern, Format format) {
  const std::uint32_t infinity = format == Format::f32 ? 0x7f800000u : 0x7c00u;
  return (pattern & infinity) == infinity;
}

std::uint32_t element(Format format, const void* patterns, std::uint32_t i) {
  if (format == Format::e4m3 || format == Format::e5m2) return static_cast<const std::uint8_t*>(patterns)[i];
  if (format == Format::f16 || format == Format::bf16) return static_cast<const std::uint16_t*>(patterns)[i];
  return static_cast<const std::uint32_t*>(patterns)[i];
}

template <Format format_a, Format format_b>
class Multiplication {
  using Value = Carrier<format_a>;
  static_assert(std::is_same_v<Value, Carrier<format_b>>);

 public:
  Multiplication(const AlignedProduct& shape, const void* a, const void* b, const std::uint8_t* selection,
                 std::uint32_t b_rows)
      : shape_(shape), a_patterns_(a), b_patterns_(b), selection_(selection) {
    take<format_a>(a_, a, shape.rows * shape.inner);
    take<format_b>(b_, b, b_rows * shape.columns);
  }

  template <class Word>
  void run(const Word* c, Word* d) {
    Line<Value> lines[most_inner];
    if (selection_ == nullptr) select(0, lines);
    for (std::uint32_t m = 0; m < shape_.rows; ++m) {
      if (selection_ != nullptr) select(m, lines);
      if (shape_.columns % 16 == 0)
        row<16>(m, lines, c, d);
      else
        row<8>(m, lines, c, d);
    }
  }

 private:
  std::uint32_t b_row(std::uint32_t m, std::uint32_t k) const {
    return selection_ == nullptr ? k : selection_[m * shape_.inner + k];
  }

  void select(std::uint32_t m, Line<Value>* lines) const {
    for (std::uint32_t k = 0; k < shape_.inner; ++k) {
      const std::uint32_t first = b_row(m, k) * shape_.columns;
      lines[k] = {b_.value + first, b_.exponent + first};
    }
  }

  template <int width, class Word>
  [[gnu::always_inline]] inline void row(std::uint32_t m, const Line<Value>* lines, const Word* c, Word* d) {
    for (std::uint32_t n = 0; n < shape_.columns; n += width) {
      const std::uint32_t at = m * shape_.columns + n;
      Vector<std::int32_t, width> sum;
      for (int i = 0; i < width; ++i) sum[i] = static_cast<std::int32_t>(c[at + i]);
      for (std::uint32_t k = 0; k < shape_.inner; k += shape_.block) {
        const Vector<std::int32_t, width> addend = sum;
        const std::uint32_t first = m * shape_.inner + k;
        block_row<Value, width>(shape_, {a_.value + first, a_.exponent + first}, lines + k, n, addend, sum);
        bool special = a_.any_special || b_.any_special;
        for (int i = 0; i < width; ++i)
          special |= is_special(static_cast<std::uint32_t>(addend[i]), shape_.d);
        if (special) [[unlikely]]
          for (int i = 0; i < width; ++i)
            replace_special(m, n + i, k, static_cast<std::uint32_t>(addend[i]),
                            [&](std::uint32_t r) { sum[i] = static_cast<std::int32_t>(r); });
      }
      for (int i = 0; i < width; ++i) d[at + i] = static_cast<Word>(sum[i]);
    }
  }

  template <class Replace>
  void replace_special(std::uint32_t m, std::uint32_t n, std::uint32_t first, std::uint32_t addend,
                       const Replace& replace) const {
    Specials specials;
    specials.add(shape_.d, addend);
    for (std::uint32_t k = first; k < first + shape_.block; ++k)
      specials.add_product(format_a, element(format_a, a_patterns_, m * shape_.inner + k), format_b,
                           element(format_b, b_patterns_, b_row(m, k) * shape_.columns + n));
    if (specials.any()) replace(specials.result(shape_.d));
  }

  const AlignedProduct& shape_;
  const void* a_patterns_;
  const void* b_patterns_;
  const std::uint8_t* selection_;
  Factors<Value, most_rows * most_inner> a_;
  Factors<Value, 2 * 32 * most_columns> b_;
};

template <Format a, Format b>
[[gnu::noinline]] void multiply(const AlignedProduct& shape, const void* a_patterns, const void* b_patterns,
                                const void* c, void* d, const std::uint8_t* selection, std::uint32_t b_rows) {
  Multiplication<a, b> product(shape, a_patterns, b_patterns, selection, b_rows);
  if (shape.d == Format::f32)
    product.run(static_cast<const std::uint32_t*>(c), static_cast<std::uint32_t*>(d));
  else
    product.run(static_cast<const std::uint16_t*>(c), static_cast<std::uint16_t*>(d));
}

}  // namespace

void multiply_aligned(const AlignedProduct& shape, const void* a, const void* b, const void* c, void* d,
                      const std::uint8_t* selection, std::uint32_t b_rows) {
  using F = Format;
  const auto with = [&](auto function) { function(shape, a, b, c, d, selection, b_rows); };
  if (shape.a == F::f16) return with(multiply<F::f16, F::f16>);
  if (shape.a == F::bf16) return with(multiply<F::bf16, F::bf16>);
  if (shape.a == F::tf32) return with(multiply<F::tf32, F::tf32>);
  if (shape.a == F::e4m3)
    return shape.b == F::e4m3 ? with(multiply<F::e4m3, F::e4m3>) : with(multiply<F::e4m3, F::e5m2>);
  return shape.b == F::e4m3 ? with(multiply<F::e5m2, F::e4m3>) : with(multiply<F::e5m2, F::e5m2>);
}

}  // namespace wedjat::exec::matrix
