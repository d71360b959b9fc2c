// Constants and the arithmetic of constant expressions (PTX ISA 4.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wedjat::ptx {

/// Integers are .s64 or .u64, expressions over floats .f64; a `0f` literal is a pattern that takes part in
/// none.
struct Constant {
  enum class Kind : std::uint8_t { s64, u64, f64, f32_pattern };
  Kind kind = Kind::s64;
  std::uint64_t bits = 0;

  bool is_integer() const { return kind == Kind::s64 || kind == Kind::u64; }
  static Constant of_signed(std::int64_t value) { return {Kind::s64, static_cast<std::uint64_t>(value)}; }
  static Constant of_double(double value);
  double as_double() const;
};

/// Reads a literal: decimal, 0x, 0b, octal with optional U; decimal floats; 0f and 0d patterns.
/// Empty if it is none or an integer that does not fit 64 bits.
std::optional<Constant> parse_literal(std::string_view text);

/// An unsigned integer literal no greater than max, as directives take them.
std::optional<std::uint64_t> parse_unsigned(std::string_view text, std::uint64_t max = ~std::uint64_t{0});

/// How an operation went that its operands may not allow.
enum class Outcome : std::uint8_t { fine, type_mismatch, division_by_zero };

/// operation is one of - + ! ~; the result replaces value.
Outcome apply_prefix(char operation, Constant& value);
/// operation as written ("<<", "&&"); the result replaces left. Shift counts are taken modulo 64, % and ~ are
/// unsigned, as ptxas does it.
Outcome apply(std::string_view operation, Constant& left, const Constant& right);
/// C's precedence; greater binds tighter.
int precedence_of(std::string_view operation);

}  // namespace wedjat::ptx
