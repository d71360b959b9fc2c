// Literals (PTX ISA 4.5.1, 4.5.2).
#include <charconv>

#include "emulator/ptx/declarations/constant.h"

namespace wedjat::ptx {
namespace {

/// All of text in the given base.
std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Constant> pattern(std::string_view text, std::size_t length, Constant::Kind kind) {
  const auto bits = text.size() == length ? digits(text, 16) : std::nullopt;
  if (!bits) return std::nullopt;
  return Constant{kind, *bits};
}

std::optional<Constant> decimal_float(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return Constant::of_double(value);
}

std::optional<Constant> integer(std::string_view text) {
  const bool has_suffix = text.ends_with('U');
  if (has_suffix) text.remove_suffix(1);
  const char prefix = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : '\0';
  std::optional<std::uint64_t> value;
  if (prefix == 'x') {
    value = digits(text.substr(2), 16);
  } else if (prefix == 'b') {
    value = digits(text.substr(2), 2);
  } else {
    value = digits(text, text.starts_with('0') ? 8 : 10);
  }
  if (!value) return std::nullopt;
  return Constant{has_suffix || *value >> 63 != 0 ? Constant::Kind::u64 : Constant::Kind::s64, *value};
}

}  // namespace

std::optional<Constant> parse_literal(std::string_view text) {
  if (text.starts_with("0f") || text.starts_with("0F"))
    return pattern(text.substr(2), 8, Constant::Kind::f32_pattern);
  if (text.starts_with("0d") || text.starts_with("0D"))
    return pattern(text.substr(2), 16, Constant::Kind::f64);
  const bool has_base = text.starts_with("0x") || text.starts_with("0X");
  if (!has_base && text.find_first_of(".eE") != std::string_view::npos) return decimal_float(text);
  return integer(text);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text, std::uint64_t max) {
  const auto literal = parse_literal(text);
  if (!literal || !literal->is_integer() || literal->bits > max) return std::nullopt;
  return literal->bits;
}

}  // namespace wedjat::ptx
