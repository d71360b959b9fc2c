// Which variable an address is made of: what is reached through it must lie in that variable.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include <wedjat/tool.hpp>

#include "frame_arrays.hpp"

namespace memory_check {

struct Through {  // an access whose address is made of a variable's
  const wedjat_access* access;
  const wedjat_variable* variable;
  std::uint32_t index;
  bool told = false;  // in an earlier launch
};

/// Registers of a kernel that always hold an address within one variable, or a number computed without any.
/// What is loaded, passed or given back counts as a number: nobody says what it points to.
class Owners {
 public:
  Owners(const wedjat_kernel& kernel, const FrameArrays& frame)
      : kernel_(kernel), frame_(frame), owners_(kernel.register_count, number) {
    for (std::uint32_t v = 0; v < kernel.variable_count; ++v) {
      const wedjat_variable& one = kernel.variables[v];
      if (one.space == WEDJAT_PARAM && one.function != 0) continue;  // calls.hpp
      const auto [known, added] = by_name_.try_emplace(one.name, static_cast<int>(v));
      if (!added) known->second = mixed;  // one name in several scopes
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& i : wedjat::instructions(kernel)) changed = follow(i) || changed;
    }
  }

  /// Of what an access goes through; null: unknown.
  const wedjat_variable* of(const wedjat_instruction& i, const wedjat_access& access) const {
    const int owner = of(i.operands[access.operand], 0);
    if (owner < 0) return nullptr;
    const auto number_of = static_cast<std::uint32_t>(owner);
    const wedjat_variable& variable = number_of < kernel_.variable_count
                                          ? kernel_.variables[number_of]
                                          : frame_[number_of - kernel_.variable_count];
    // Where the frame of a called function begins, nobody says.
    return variable.space == WEDJAT_LOCAL && variable.function != 0 ? nullptr : &variable;
  }

  /// The constant that is added to the name in `[name+8]`.
  static std::uint64_t displacement(std::string_view text) {
    const std::size_t sign = text.find_first_of("+-");
    return sign == text.npos
               ? 0
               : static_cast<std::uint64_t>(std::strtoll(std::string(text.substr(sign)).c_str(), nullptr, 0));
  }

 private:
  static constexpr int number = -1, mixed = -2;

  int of(const wedjat_operand& operand, std::uint32_t element) const {
    if (operand.registers[element] != WEDJAT_NO_REGISTER) return owners_[operand.registers[element]];
    std::string_view text = operand.text;
    if (text.starts_with('[')) text.remove_prefix(1);
    const auto found = by_name_.find(text.substr(0, text.find_first_of(" +-],")));
    return found == by_name_.end() ? number : found->second;
  }
  static int sum(int a, int b) { return a == number ? b : b == number ? a : mixed; }

  // What the result of the instruction is made of.
  int result(const wedjat_instruction& i) const {
    std::vector<int> in;
    for (const auto& o : wedjat::operands(i))
      for (std::uint32_t e = 0; o.in && !o.out && o.kind != WEDJAT_ADDRESS && e < o.count; ++e)
        in.push_back(of(o, e));
    if ((i.what & WEDJAT_SAME_OBJECT) && !in.empty()) return in[0];
    switch (in.size()) {
      case 1:
        return i.operation == WEDJAT_COPY || i.operation == WEDJAT_PACKING || i.operation == WEDJAT_CONVERSION
                   ? in[0]
                   : any(in);
      case 2:
        return of_two(i.operation, in[0], in[1]);
      case 3:
        if (i.operation == WEDJAT_PRODUCT_SUM) return in[0] == number && in[1] == number ? in[2] : mixed;
        if (i.operation == WEDJAT_SELECTION) return in[0] == in[1] ? in[0] : mixed;
        return any(in);
      default:
        return any(in);
    }
  }
  static int of_two(std::uint8_t operation, int a, int b) {
    switch (operation) {
      case WEDJAT_SUM:
      case WEDJAT_CONJUNCTION:
      case WEDJAT_DISJUNCTION:
      case WEDJAT_PARITY:
        return sum(a, b);
      case WEDJAT_DIFFERENCE:
        return b == number ? a : a == b ? number : mixed;
      default:
        return any({a, b});
    }
  }
  static int any(const std::vector<int>& in) {
    for (const int owner : in)
      if (owner != number) return mixed;
    return number;
  }

  bool follow(const wedjat_instruction& i) {
    if (i.access_count != 0 || (i.what & WEDJAT_HAS_PIECES)) return false;
    const auto array = frame_.begun_by(i);
    const int made = array ? static_cast<int>(kernel_.variable_count + *array) : result(i);
    bool changed = false;
    for (const auto& o : wedjat::operands(i))
      for (std::uint32_t e = 0; o.out && e < o.count; ++e) {
        if (o.registers[e] == WEDJAT_NO_REGISTER || made == number) continue;
        int& owner = owners_[o.registers[e]];
        const int now = owner == number || owner == made ? made : mixed;
        changed = changed || now != owner;
        owner = now;
      }
    return changed;
  }

  const wedjat_kernel& kernel_;
  const FrameArrays& frame_;
  std::map<std::string, int, std::less<>> by_name_;
  std::vector<int> owners_;  // by register: an index in wedjat_kernel.variables and behind those in frame_,
                             // or number, or mixed
};

}  // namespace memory_check
