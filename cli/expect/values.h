// Elements of buffers as directives write them: types, literals, and how a difference is shown.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace wedjat::expect {

/// u8 … u64, s8 … s64 (i8 … i64 mean the same), b8 … b128, f16, bf16, f32, f64.
struct Type {
  enum class Kind : std::uint8_t { unsigned_integer, signed_integer, bits, half, brain, single, twice } kind;
  std::uint8_t bytes;
  std::string name;

  bool is_float() const { return kind >= Kind::half; }
};

using Bits = std::array<std::byte, 16>;  ///< little endian; bytes behind those of the type are 0

std::optional<Type> type_named(const std::string& name);

/// Decimal or 0x…; of floats 0x… are the bits, and decimal numbers are rounded to nearest even; inf, -inf.
/// Throws std::invalid_argument for what is no number or does not fit.
Bits parse_literal(const Type& type, const std::string& text);

/// `first + index * step`: integers wrap around, floats are computed as f64 and rounded once.
Bits in_range(const Type& type, const Bits& first, const Bits& step, std::uint64_t index);

/// How many floats lie between the two; nothing if one of them is a NaN.
std::optional<std::uint64_t> ulps_between(const Type& type, const Bits& a, const Bits& b);
bool is_nan(const Type& type, const Bits& bits);
double as_number(const Type& type, const Bits& bits);  ///< of floats

Bits bits_at(const Type& type, std::span<const std::byte> from);
std::string shown(const Type& type, const Bits& bits);  ///< "1.5 (0x3fc00000)"

}  // namespace wedjat::expect
