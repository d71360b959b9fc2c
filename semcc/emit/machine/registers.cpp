#include "semcc/emit/machine/registers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace semcc::emit {
namespace {

using ir::MachineValue;

bool is_constant(const ir::SpecialElement& element) {
  return element.value->what == MachineValue::What::Number;
}

// "%tid.x" -> "tid_x"
std::string enumerator(const std::string& name) {
  std::string out = name.substr(name.starts_with('%') ? 1 : 0);
  std::ranges::replace(out, '.', '_');
  return out;
}

struct Element {
  const ir::Special* special;
  const ir::SpecialElement* element;
};

// In the order of the files, constants left out: what the enumeration counts.
std::vector<Element> enumerated(const ir::Program& program) {
  std::vector<Element> elements;
  for (const ir::Special& special : program.specials)
    for (const ir::SpecialElement& element : special.elements)
      if (!is_constant(element)) elements.push_back({&special, &element});
  return elements;
}

unsigned period_bits(const ir::SpecialElement& element) {
  return (element.per_cta ? 1u : 0u) | (element.per_lane ? 2u : 0u) | (element.per_read ? 4u : 0u);
}

std::string enumeration(const std::vector<Element>& elements) {
  std::string names, periods;
  for (const auto& [special, element] : elements) {
    names += fmt::format("  {},  ///< {}: {}\n", enumerator(element->name), element->name, special->summary);
    periods += fmt::format("    {},  // {}\n", period_bits(*element), element->name);
  }
  return fmt::format(R"(// PTX ISA 10, of semantics/special_registers.psem.
#pragma once
#include <cstdint>

namespace wedjat::kernel {{

enum class SpecialRegister : std::uint8_t {{
{}}};

/// Between what each may differ: 1 CTAs, 2 lanes, 4 one read and the next.
inline constexpr std::uint8_t special_periods[] = {{
{}    0}};

}}  // namespace wedjat::kernel
)",
                     names, periods);
}

std::string row(const ir::Special& special, const std::string& name, const ir::SpecialElement* element) {
  const bool is_enumerated = element != nullptr && !is_constant(*element);
  return fmt::format(
      "    {{\"{}\"sv, {}, {}, {}, {}, {}, {}, \"{}\"sv}},\n", name,
      special.type.kind == ir::Kind::Pred ? 0 : special.type.width, element == nullptr, !is_enumerated,
      is_enumerated ? "SpecialRegister::" + enumerator(name) : "SpecialRegister{}",
      element != nullptr ? element->value->number : 0,
      100 * special.since.ptx_major + special.since.ptx_minor, fmt::join(special.since.targets, " "));
}

std::string table(const ir::Program& program) {
  std::map<std::string, std::string> rows;
  for (const ir::Special& special : program.specials) {
    for (const ir::SpecialElement& element : special.elements)
      rows[element.name] = row(special, element.name, &element);
    if (special.count > 1)
      for (const std::string& name : special.names) rows[name] = row(special, name, nullptr);
  }
  std::string text;
  for (const auto& [name, row] : rows) text += row;
  return fmt::format(R"(#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::kernel {{

using namespace std::string_view_literals;

std::span<const SpecialName> special_names() {{
  static constexpr SpecialName names[] = {{
{}  }};
  return names;
}}

}}  // namespace wedjat::kernel
)",
                     text);
}

std::string expression(const MachineValue& value) {
  switch (value.what) {
    case MachineValue::What::Number:
      return fmt::format("std::uint64_t{{{}u}}", value.number);
    case MachineValue::What::Source:
      return fmt::format("from.{}({})", value.text, value.component);
    case MachineValue::What::Unary:
      return fmt::format("{}{}", value.text, expression(*value.args[0]));
    case MachineValue::What::Binary:
      break;
  }
  const std::string a = expression(*value.args[0]), b = expression(*value.args[1]);
  if (value.text == "/" || value.text == "%")
    return fmt::format("{}({}, {})", value.text == "/" ? "quotient" : "remainder", a, b);
  if (value.text == "<<" || value.text == ">>") return fmt::format("({} {} ({} & 63))", a, value.text, b);
  return fmt::format("({} {} {})", a, value.text, b);
}

std::string values(const std::vector<Element>& elements) {
  std::string cases;
  for (const auto& [special, element] : elements)
    cases += fmt::format("    case kernel::SpecialRegister::{}:\n      return {};\n",
                         enumerator(element->name), expression(*element->value));
  return fmt::format(R"(// What the special registers hold, of semantics/special_registers.psem.
#pragma once
#include <cstdint>

#include "special_register.h"

namespace wedjat::exec {{

constexpr std::uint64_t quotient(std::uint64_t a, std::uint64_t b) {{ return b == 0 ? 0 : a / b; }}
constexpr std::uint64_t remainder(std::uint64_t a, std::uint64_t b) {{ return b == 0 ? 0 : a % b; }}

/// `Sources` has a member function for every source, which takes the component: 0 for x, 1 for y, 2 for z.
template <class Sources>
std::uint64_t special_value(kernel::SpecialRegister which, const Sources& from) {{
  switch (which) {{
{}  }}
  return 0;
}}

}}  // namespace wedjat::exec
)",
                     cases);
}

}  // namespace

std::map<std::string, std::string> emit_registers(const ir::Program& program) {
  const std::vector<Element> elements = enumerated(program);
  return {{"special_register.h", enumeration(elements)},
          {"special_registers.cpp", table(program)},
          {"special_values.h", values(elements)}};
}

}  // namespace semcc::emit
