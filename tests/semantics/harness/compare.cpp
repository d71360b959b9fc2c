#include "tests/semantics/harness/compare.h"

#include <fmt/format.h>

#include <unordered_map>

#include "semcc/eval/literal.h"
#include "semcc/eval/real.h"

namespace wedjat::test {
namespace {

namespace ir = semcc::ir;
using semcc::eval::Frame;
using semcc::eval::Word;

std::string signature(const ir::Form& form) {
  std::string text = form.text();
  for (const ir::Operand& operand : form.operands)
    text += fmt::format(" {}:{}:{}", operand.name, static_cast<int>(operand.kind), operand.count);
  return text;
}

std::string signature(const kernel::Form& form) {
  std::string text(form.text);
  for (const kernel::OperandSpec& operand : std::span(form.operand, form.operands))
    text += fmt::format(" {}:{}:{}", operand.name, static_cast<int>(operand.kind), operand.count);
  return text;
}

bool differs(const Word& expected, const Word& got, const ir::Type& type) {
  if (((expected.bits ^ got.bits) & ~expected.unspecified) != 0) return true;
  if (!expected.nan) return false;
  // The exponent agrees; a NaN also has a fraction.
  const mpz_class fraction = (mpz_class(1) << semcc::eval::record_of(type.format).fraction_bits) - 1;
  return (got.bits & fraction) == 0;
}

std::string describe(const ir::Form& form, const Frame& before, unsigned lane) {
  std::string text = fmt::format("active 0x{:x}, lane {}", before.active, lane);
  for (std::size_t index = 0; index < form.operands.size(); ++index)
    if (form.operands[index].in)
      for (const auto& row : before.operands[index])
        text += fmt::format(", {} = 0x{}", form.operands[index].name, row[lane].bits.get_str(16));
  return text;
}

}  // namespace

const kernel::Form* row_of(const ir::Form& form) {
  static const auto rows = [] {
    std::unordered_map<std::string, const kernel::Form*> map;
    for (const kernel::Form& row : kernel::all_forms()) map.emplace(signature(row), &row);
    return map;
  }();
  const auto found = rows.find(signature(form));
  return found == rows.end() ? nullptr : found->second;
}

std::optional<std::string> difference(const ir::Form& form, const Frame& before, const Frame& expected,
                                      const Frame& got, bool alias) {
  for (std::size_t index = 0; index < form.operands.size(); ++index) {
    const ir::Operand& operand = form.operands[index];
    if (!operand.out) continue;
    for (std::size_t element = 0; element < operand.count; ++element)
      for (unsigned lane = 0; lane < semcc::eval::lanes; ++lane) {
        const bool active = (before.active >> lane & 1) != 0;
        if (alias && !active) continue;
        const Word& want = expected.operands[index][element][lane];
        const Word& have = got.operands[index][element][lane];
        if (differs(want, have, operand.type))
          return fmt::format("{}{} is 0x{}, not {}: {}", operand.name,
                             operand.count > 1 ? fmt::format("[{}]", element) : "", have.bits.get_str(16),
                             semcc::eval::print_word(want, operand.type), describe(form, before, lane));
      }
  }
  if (((expected.carry ^ got.carry) & ~expected.unspecified_carry) != 0)
    return fmt::format("carry is 0x{:x}, not 0x{:x}: {}", got.carry, expected.carry,
                       describe(form, before, 0));
  for (const auto& [place, byte] : expected.memory)
    if (const auto found = got.memory.find(place); found == got.memory.end() || found->second != byte)
      return fmt::format("the byte at 0x{:x} is not 0x{:x}: {}", place.second, byte,
                         describe(form, before, 0));
  return std::nullopt;
}

Verdict compare(const ir::Program& program, const ir::Form& form, kernel::Executor full,
                kernel::Executor masked, unsigned cases, std::uint64_t seed) {
  static Machine machine;
  static const auto specials = special_values();
  Random random(seed);
  Verdict verdict;
  for (unsigned number = 0; number < cases && !verdict.wrong; ++number) {
    const std::uint32_t masks[] = {exec::all_lanes,
                                   1u << (random() % 32),
                                   exec::all_lanes,
                                   0x55555555u,
                                   static_cast<std::uint32_t>(random()),
                                   0};
    const std::uint32_t active = masks[number % 6];
    const bool alias = random() % 2 == 0;
    Frame before = any_frame(form, active, random);
    before.specials = specials;
    try {
      const semcc::eval::Outcome expected = semcc::eval::evaluate(program, form, before);
      if (!expected.failures.empty()) {
        ++verdict.refused;
        continue;
      }
      const bool as_full = active == exec::all_lanes && random() % 2 == 0;
      const Frame got = machine.run(form, as_full ? full : masked, before, alias);
      verdict.wrong = difference(form, before, expected.after, got, alias);
      ++verdict.compared;
    } catch (const semcc::eval::Unsupported& reason) {
      verdict.unsupported = reason.what();
      return verdict;
    }
  }
  return verdict;
}

}  // namespace wedjat::test
