#include "cli/expect/values.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace wedjat::expect {
namespace {

using Kind = Type::Kind;

Bits of_low(std::uint64_t low, unsigned bytes) {
  Bits bits{};
  std::memcpy(bits.data(), &low, bytes < 8 ? bytes : 8);
  return bits;
}

std::uint64_t low_of(const Bits& bits) {
  std::uint64_t low;
  std::memcpy(&low, bits.data(), sizeof low);
  return low;
}

struct Format {
  int exponent_bits, fraction_bits;
};

Format format_of(const Type& type) {
  if (type.kind == Kind::half) return {5, 10};
  if (type.kind == Kind::brain) return {8, 7};
  if (type.kind == Kind::single) return {8, 23};
  return {11, 52};
}

// A f64 rounded to nearest even to a format with fewer bits: its magnitude.
std::uint64_t narrowed(double magnitude, const Format& to) {
  const std::uint64_t infinity = ((std::uint64_t{1} << to.exponent_bits) - 1) << to.fraction_bits;
  if (std::isinf(magnitude)) return infinity;
  if (magnitude == 0) return 0;
  const int bias = (1 << (to.exponent_bits - 1)) - 1;
  const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  // Units of the last place: below 2^(fraction_bits + 1), so the product is exact and rint rounds to even.
  const auto units =
      static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, to.fraction_bits - exponent)));
  // The hidden bit carries into the exponent by itself, also when rounding carried.
  const std::uint64_t bits = (static_cast<std::uint64_t>(exponent + bias - 1) << to.fraction_bits) + units;
  return bits < infinity ? bits : infinity;
}

Bits of_double(const Type& type, double value) {
  if (type.kind == Kind::twice) return of_low(std::bit_cast<std::uint64_t>(value), 8);
  const Format format = format_of(type);
  const unsigned sign = type.bytes * 8u - 1;
  return of_low(narrowed(std::fabs(value), format) | (std::uint64_t{std::signbit(value)} << sign),
                type.bytes);
}

Bits parse_hexadecimal(const Type& type, std::string_view digits, const std::string& text) {
  Bits bits{};
  if (digits.size() > 2u * type.bytes)
    throw std::invalid_argument(fmt::format("{} has more bits than {}", text, type.name));
  for (std::size_t i = 0; i < digits.size(); ++i) {
    unsigned digit = 0;
    const char* const at = digits.data() + digits.size() - 1 - i;
    if (std::from_chars(at, at + 1, digit, 16).ec != std::errc())
      throw std::invalid_argument(fmt::format("'{}' is not a number", text));
    bits[i / 2] |= static_cast<std::byte>(digit << (i % 2 * 4));
  }
  return bits;
}

}  // namespace

std::optional<Type> type_named(const std::string& name) {
  if (name == "f16") return Type{Kind::half, 2, name};
  if (name == "bf16") return Type{Kind::brain, 2, name};
  if (name == "f32") return Type{Kind::single, 4, name};
  if (name == "f64") return Type{Kind::twice, 8, name};
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u}) {
    const auto width = static_cast<std::uint8_t>(bytes);
    const std::string digits = std::to_string(8 * bytes);
    if (name == "b" + digits) return Type{Kind::bits, width, name};
    if (bytes == 16) break;
    if (name == "u" + digits) return Type{Kind::unsigned_integer, width, name};
    if (name == "s" + digits || name == "i" + digits) return Type{Kind::signed_integer, width, name};
  }
  return std::nullopt;
}

Bits parse_literal(const Type& type, const std::string& text) {
  if (text.starts_with("0x")) return parse_hexadecimal(type, std::string_view(text).substr(2), text);
  if (type.is_float()) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || std::isnan(value))
      throw std::invalid_argument(
          fmt::format("'{}' is not a number of type {} (write NaNs as bits: 0x…)", text, type.name));
    if (type.kind == Kind::single)
      return of_low(std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr)), 4);
    return of_double(type, value);
  }
  const bool negative = text.starts_with('-');
  const char *const begin = text.data() + negative, *const end = text.data() + text.size();
  std::uint64_t magnitude = 0;
  const auto [stop, error] = std::from_chars(begin, end, magnitude);
  if (error != std::errc() || stop != end || begin == end)
    throw std::invalid_argument(fmt::format("'{}' is not a number that fits {}", text, type.name));
  const unsigned width = type.bytes < 8 ? type.bytes * 8u : 64;
  const std::uint64_t half = std::uint64_t{1} << (width - 1), most = half - 1 + half;
  const std::uint64_t limit = negative ? (type.kind == Kind::unsigned_integer ? 0 : half)
                                       : (type.kind == Kind::signed_integer ? half - 1 : most);
  if (magnitude > limit) throw std::invalid_argument(fmt::format("{} does not fit {}", text, type.name));
  Bits bits = of_low(negative ? 0 - magnitude : magnitude, type.bytes);
  if (type.bytes == 16 && negative && magnitude != 0)
    for (std::size_t i = 8; i < 16; ++i) bits[i] = std::byte{0xff};
  return bits;
}

Bits in_range(const Type& type, const Bits& first, const Bits& step, std::uint64_t index) {
  if (type.is_float())
    return of_double(type, as_number(type, first) + static_cast<double>(index) * as_number(type, step));
  return of_low(low_of(first) + index * low_of(step), type.bytes);
}

double as_number(const Type& type, const Bits& bits) {
  const std::uint64_t low = low_of(bits);
  if (type.kind == Kind::twice) return std::bit_cast<double>(low);
  if (type.kind == Kind::single) return std::bit_cast<float>(static_cast<std::uint32_t>(low));
  if (type.kind == Kind::brain) return std::bit_cast<float>(static_cast<std::uint32_t>(low) << 16);
  const auto exponent = static_cast<int>(low >> 10 & 31);
  const auto fraction = static_cast<double>(low & 1023);
  const double magnitude = exponent == 31  ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(fraction + 1024, exponent - 25);
  return low & 0x8000 ? -magnitude : magnitude;
}

bool is_nan(const Type& type, const Bits& bits) { return std::isnan(as_number(type, bits)); }

std::optional<std::uint64_t> ulps_between(const Type& type, const Bits& a, const Bits& b) {
  if (is_nan(type, a) || is_nan(type, b)) return std::nullopt;
  const auto ordered = [&](const Bits& bits) {
    const std::uint64_t sign = std::uint64_t{1} << (type.bytes * 8u - 1), low = low_of(bits);
    const auto magnitude = static_cast<std::int64_t>(low & (sign - 1));
    return low & sign ? -magnitude : magnitude;
  };
  const std::int64_t x = ordered(a), y = ordered(b);
  const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
  return x > y ? ux - uy : uy - ux;
}

Bits bits_at(const Type& type, std::span<const std::byte> from) {
  Bits bits{};
  std::memcpy(bits.data(), from.data(), type.bytes);
  return bits;
}

std::string shown(const Type& type, const Bits& bits) {
  std::string digits = "0x";
  for (unsigned i = type.bytes; i-- > 0;) digits += fmt::format("{:02x}", std::to_integer<unsigned>(bits[i]));
  if (type.is_float()) {
    const double number = as_number(type, bits);
    // The shortest text that gives the same f32 or f64 again; halves are f32 for that.
    if (type.kind == Kind::twice) return fmt::format("{} ({})", number, digits);
    return fmt::format("{} ({})", static_cast<float>(number), digits);
  }
  if (type.bytes == 16) return digits;
  std::uint64_t low = low_of(bits);
  if (type.kind != Kind::signed_integer) return fmt::format("{} ({})", low, digits);
  const unsigned unused = 64 - type.bytes * 8u;
  return fmt::format("{} ({})", static_cast<std::int64_t>(low << unused) >> unused, digits);
}

}  // namespace wedjat::expect
