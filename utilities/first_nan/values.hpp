// Which values are NaN or infinite, by the bits of their format.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>
#include <wedjat/tool.hpp>

namespace first_nan {

enum class Class : std::uint8_t { finite, infinite, nan };

struct Format {
  unsigned bits = 0;  // 0: not followed
  std::uint64_t exponent = 0, mantissa = 0;

  Class of(std::uint64_t value) const {
    if ((value & exponent) != exponent) return Class::finite;
    return (value & mantissa) != 0 ? Class::nan : Class::infinite;
  }
};

inline Format format_of(std::string_view name) {
  if (name == "f16") return {16, 0x7c00, 0x03ff};
  if (name == "bf16") return {16, 0x7f80, 0x007f};
  if (name == "f32") return {32, 0x7f800000, 0x007fffff};
  if (name == "f64") return {64, 0x7ff0000000000000, 0x000fffffffffffff};
  return {};
}

/// Of the values of one operand: its own, or for untyped bits that of a register of this size.
inline Format format_of(const wedjat_operand& operand) {
  if (operand.value == WEDJAT_FLOAT) return format_of(std::string_view(operand.format));
  if (operand.value != WEDJAT_BITS) return {};
  return operand.bits == 32 ? format_of("f32") : operand.bits == 64 ? format_of("f64") : Format{};
}

/// The worst of the parts that are packed in element `element` of lane `lane`.
inline Class worst(const wedjat::Event& event, unsigned operand, unsigned element, unsigned lane,
                   const Format& format) {
  const wedjat_operand& o = event.instruction->operands[operand];
  const char* row = wedjat::row<const char>(event, operand, element);
  Class all = Class::finite;
  if (row == nullptr || format.bits == 0) return all;
  for (unsigned bit = 0; bit < o.bits; bit += format.bits) {
    std::uint64_t value = 0;
    std::memcpy(&value, row + o.bits / 8 * lane + bit / 8, format.bits / 8);
    all = std::max(all, format.of(value));
  }
  return all;
}

/// The values of an element of an operand, in all lanes.
struct Values {
  std::uint32_t row = 0;
  unsigned count = 0;  // as many as lanes, or more where they are packed
  Format format;

  Values(const wedjat_operand& operand, unsigned element, const Format& of)
      : row(operand.first + element), count(32u * (operand.bits / of.bits)), format(of) {}

  /// Whether there is no NaN and no infinity among them.
  bool are_finite(const wedjat::Event& event) const {
    const char* from = static_cast<const char*>(event.rows[row]);
    if (from == nullptr) return true;
    return format.bits == 16   ? are_finite<std::uint16_t>(from)
           : format.bits == 32 ? are_finite<std::uint32_t>(from)
                               : are_finite<std::uint64_t>(from);
  }

 private:
  template <class Word>
  bool are_finite(const char* from) const {
    const auto all = static_cast<Word>(format.exponent);
    for (const char* const end = from + count * sizeof(Word); from != end; from += 32 * sizeof(Word)) {
      bool found = false;
      for (unsigned i = 0; i < 32; ++i) {
        Word value;
        std::memcpy(&value, from + i * sizeof(Word), sizeof(Word));
        found |= (value & all) == all;
      }
      if (found) return false;
    }
    return true;
  }
};

}  // namespace first_nan
