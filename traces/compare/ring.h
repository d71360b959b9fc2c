// Numbers without rounding: the exact value of an expression of floating-point numbers, modulo two primes.
// Two different values look the same for few primes only, and these are chosen at random (README.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace wedjat::traces {

enum class FloatFormat : std::uint8_t { f16, bf16, f32, f64 };
unsigned bytes_of(FloatFormat format);
// "f32"; false if it is none of these.
bool format_of(std::string_view name, FloatFormat& format);
double number_of(FloatFormat format, std::uint64_t bits);

struct Mark {  // of a value
  std::array<std::uint64_t, 2> at{};
  bool operator==(const Mark&) const = default;
};

class Ring {
 public:
  explicit Ring(std::uint64_t seed);

  Mark sum(const Mark& a, const Mark& b) const;
  Mark difference(const Mark& a, const Mark& b) const;
  Mark product(const Mark& a, const Mark& b) const;
  // A number as it is; infinities and NaNs have a mark each.
  Mark of(FloatFormat format, std::uint64_t bits) const;
  // Of a function that nothing is known of: the same for the same function of the same values.
  Mark of_function(std::string_view name, std::span<const Mark> arguments) const;

 private:
  static constexpr int least = -1100, most = 1100;  // exponents
  std::array<std::uint64_t, 2> primes_{};
  std::array<std::array<std::uint64_t, most - least + 1>, 2> powers_{};  // of 2
};

}  // namespace wedjat::traces
