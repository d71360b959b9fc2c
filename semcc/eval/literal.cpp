#include "semcc/eval/literal.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <stdexcept>

namespace semcc::eval {
namespace {

double parse_decimal_float(const std::string& text, const ir::Type& type) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = type.format == ir::Format::f32 ? std::stof(text, &used) : std::stod(text, &used);
  } catch (const std::logic_error&) {
    used = 0;
  }
  if (used != text.size()) throw std::invalid_argument(fmt::format("`{}` is not a number", text));
  return value;
}

}  // namespace

mpz_class parse_pattern(const std::string& text, const ir::Type& type) {
  const unsigned width = type.kind == ir::Kind::Pred ? 1 : type.bits();
  if (type.kind == ir::Kind::Pred && (text == "true" || text == "false")) return text == "true" ? 1 : 0;
  const bool scalar_float = type.kind == ir::Kind::Float && type.parts == 1;
  if (scalar_float && text.find('.') != std::string::npos) {
    const double value = parse_decimal_float(text, type);
    if (type.format == ir::Format::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (type.format == ir::Format::f64)
      return mpz_class(fmt::format("{:x}", std::bit_cast<std::uint64_t>(value)), 16);
    throw std::invalid_argument(fmt::format("`{}`: write {} values as 0x patterns", text, type.name()));
  }
  const bool negative = text.starts_with("-");
  std::string digits = text.substr(negative ? 1 : 0);
  int base = 10;
  for (const char* prefix : {"0x", "0f", "0d", "0X", "0F", "0D"})
    if (digits.starts_with(prefix)) base = 16;
  if (base == 16) digits.erase(0, 2);
  mpz_class value;
  if (digits.empty() || value.set_str(digits, base) != 0)
    throw std::invalid_argument(fmt::format("`{}` is not a number", text));
  if (negative) value = -value;
  const mpz_class limit = mpz_class(1) << width;
  if (value >= limit || value < -limit)
    throw std::invalid_argument(fmt::format("`{}` does not fit {}", text, type.name()));
  if (value < 0) value += limit;
  return value;
}

std::string print_word(const Word& word, const ir::Type& type) {
  if (type.kind == ir::Kind::Pred) return !word.known() ? "unspecified" : word.is_true() ? "1" : "0";
  const unsigned width = type.bits();
  const mpz_class mask = (mpz_class(1) << width) - 1, bits = word.bits & mask, open = word.unspecified & mask;
  if (word.nan) return "a NaN";
  if (open == mask) return "unspecified";
  std::string text = "0x" + bits.get_str(16);
  if (type.kind == ir::Kind::Float && type.parts == 1 && open == 0) {
    if (type.format == ir::Format::f32)
      text += fmt::format(" ({})", std::bit_cast<float>(static_cast<std::uint32_t>(bits.get_ui())));
    if (type.format == ir::Format::f64)
      text += fmt::format(" ({})", std::bit_cast<double>(std::uint64_t{bits.get_ui()}));
  }
  if (type.kind == ir::Kind::Integer && type.parts == 1 && open == 0) {
    const bool negative = type.is_signed && mpz_tstbit(bits.get_mpz_t(), width - 1) != 0;
    text += fmt::format(" ({})", (negative ? mpz_class(bits - mask - 1) : bits).get_str());
  }
  if (open != 0) text += fmt::format(", unspecified bits 0x{}", open.get_str(16));
  return text;
}

}  // namespace semcc::eval
