// Of every register, as far as the text of a kernel tells: by which power of two it can be divided. ptxas
// joins loads of shared memory only where it knows that.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>
#include <wedjat/tool.hpp>

namespace timing {

class Alignment {
 public:
  explicit Alignment(const wedjat_kernel& kernel) : kernel_(kernel), zeros_(kernel.register_count, kMost) {
    for (bool changes = true; changes;) {
      changes = false;
      for (const wedjat_instruction& at : wedjat::instructions(kernel))
        for (const wedjat_operand& o : wedjat::operands(at))
          for (std::uint32_t i = 0; o.out && o.registers != nullptr && i < o.count; ++i)
            if (o.registers[i] != WEDJAT_NO_REGISTER) changes |= lower(zeros_[o.registers[i]], of(at, o));
    }
  }

  /// How many of its lowest bits are zero.
  [[nodiscard]] unsigned zeros(std::uint32_t one) const { return zeros_[one]; }
  /// Of the address of a variable in shared memory.
  [[nodiscard]] unsigned zeros(std::string_view variable) const {
    for (std::uint32_t i = 0; i < kernel_.variable_count; ++i)
      if (const wedjat_variable& one = kernel_.variables[i];
          one.space == WEDJAT_SHARED && std::string_view(one.name) == variable)
        return of_number(static_cast<long long>(one.address));
    return 0;
  }

 private:
  static constexpr unsigned kMost = 31;

  static bool lower(std::uint8_t& to, unsigned zeros) {
    if (zeros >= to) return false;
    to = static_cast<std::uint8_t>(zeros);
    return true;
  }
  static unsigned of_number(long long number) {
    return number == 0 ? kMost
                       : std::min<unsigned>(kMost, std::countr_zero(static_cast<unsigned long long>(number)));
  }
  static bool is_literal(const wedjat_operand& o) {
    return o.text[0] == '-' || (o.text[0] >= '0' && o.text[0] <= '9');
  }
  [[nodiscard]] unsigned of(const wedjat_operand& o) const {
    if (o.count == 1 && o.registers != nullptr && o.registers[0] != WEDJAT_NO_REGISTER)
      return zeros_[o.registers[0]];
    if (is_literal(o)) return of_number(std::strtoll(o.text, nullptr, 0));
    return zeros(o.text);
  }
  // What is shifted by a number that stands in the text has so many zeros more.
  [[nodiscard]] static unsigned by(const wedjat_instruction& at) {
    const wedjat_operand& amount = at.operands[at.operand_count - 1];
    return is_literal(amount) ? std::min<unsigned>(kMost, std::strtoul(amount.text, nullptr, 0)) : 0;
  }
  // A result of one element that is computed of others of one; nothing is known of other results.
  [[nodiscard]] unsigned of(const wedjat_instruction& at, const wedjat_operand& result) const {
    unsigned in[3] = {0, 0, 0}, count = 0;
    for (const wedjat_operand& o : wedjat::operands(at)) {
      if (o.out || o.text[0] == 0) continue;
      if (count == 3 || o.kind == WEDJAT_ADDRESS) return 0;
      in[count++] = of(o);
    }
    if (result.count != 1 || result.value == WEDJAT_FLOAT || count == 0) return 0;
    switch (at.operation) {
      case WEDJAT_COPY:
      case WEDJAT_CONVERSION:
      case WEDJAT_NEGATION:
        return in[0];
      case WEDJAT_SUM:
      case WEDJAT_DIFFERENCE:
      case WEDJAT_DISJUNCTION:
      case WEDJAT_PARITY:
      case WEDJAT_SELECTION:
        return std::min(in[0], in[1]);
      case WEDJAT_CONJUNCTION:
        return std::max(in[0], in[1]);
      case WEDJAT_PRODUCT:
        return std::min(kMost, in[0] + in[1]);
      case WEDJAT_LEFT_SHIFT:
        return std::min(kMost, in[0] + by(at));
      case WEDJAT_PRODUCT_SUM:
        return std::min({kMost, in[0] + in[1], in[2]});
      default:
        return 0;
    }
  }

  const wedjat_kernel& kernel_;
  std::vector<std::uint8_t> zeros_;
};

}  // namespace timing
