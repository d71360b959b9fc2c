#include "emulator/programs/writer.h"

#include <algorithm>
#include <bit>

#include "emulator/programs/faults.h"

namespace wedjat::programs {
namespace {

using kernel::Form;
using kernel::OperandKind;
using kernel::OperandSpec;
using kernel::ValueKind;

unsigned bytes_at(const Form& form) {
  unsigned bytes = 0;
  for (unsigned i = 0; i < form.operands; ++i) {
    const OperandSpec& operand = form.operand[i];
    if (operand.kind == OperandKind::Address || operand.optional) continue;
    bytes = std::max(bytes, operand.bits / 8u * operand.count);
  }
  return bytes;
}

}  // namespace

std::string Writer::guard() {
  return pick(5) != 0 ? "" : fmt::format("@{}{} ", pick(2) ? "!" : "", any(truths));
}

const Form& Writer::choose(Use use, Need& need) {
  const auto weight = [&](const Family& family) {
    const auto asked = options_.weights.find(std::string(family.opcode));
    return asked == options_.weights.end() ? family.weight : asked->second;
  };
  unsigned all = 0;
  for (const Family& family : families(use)) all += weight(family);
  unsigned left = all == 0 ? 0 : pick(all);
  for (const Family& family : families(use)) {
    if (left < weight(family) || all == 0) {
      need = family.need;
      return *family.forms[pick(static_cast<unsigned>(family.forms.size()))];
    }
    left -= weight(family);
  }
  return *families(use).front().forms.front();
}

const Form& Writer::choose(Use use) {
  Need need = Need::nothing;
  return choose(use, need);
}

std::string Writer::literal(const OperandSpec& operand) {
  static constexpr std::uint32_t edges[] = {0,   1,   2,   7,      8,      31,     32,        63,
                                            127, 128, 255, 0x7fff, 0x8000, 0xffff, 0x7fffffff};
  if (operand.value == ValueKind::Float && operand.format == "f32") {
    static constexpr float numbers[] = {0.0f, 1.0f, -1.0f, 0.5f, 3.0f, 1e-40f, 65504.0f, 16777216.0f, 1e30f};
    return fmt::format("0f{:08X}", std::bit_cast<std::uint32_t>(numbers[pick(9)]));
  }
  if (operand.value == ValueKind::Float) {
    static constexpr double numbers[] = {0.0,  1.0, -1.0, 0.5, 3.0, 1e-310, 65504.0, 9007199254740992.0,
                                         1e300};
    return fmt::format("0d{:016X}", std::bit_cast<std::uint64_t>(numbers[pick(9)]));
  }
  const std::uint32_t number = pick(2) ? edges[pick(15)] : pick(64);
  return std::to_string(operand.bits < 32 ? number & ((1u << (operand.bits - 1)) - 1) : number);
}

// Each register that is written is written once. `place`: of a matrix, which of its registers it is.
std::string Writer::register_of(const Form& form, const OperandSpec& operand, Named& named, unsigned place) {
  const Pool* const elsewhere = operand.out ? pool_of_misread(form) : nullptr;
  const Pool& pool = elsewhere != nullptr ? *elsewhere : *pool_of(operand);
  const auto written_before =
      named.written.begin() + (operand.out          ? named.written.size()
                               : writes_early(form) ? std::min<std::size_t>(place, named.written.size())
                                                    : 0);
  const bool once = confuses_names(form) && operand.kind == OperandKind::Register;
  std::string name;
  do {
    name = any(pool);
  } while (std::find(named.written.begin(), written_before, name) != written_before ||
           (once && std::find(named.read.begin(), named.read.end(), name) != named.read.end()) ||
           (operand.out && std::find(kept.begin(), kept.end(), name) != kept.end()));
  if (operand.in && !operand.out) named.read.push_back(name);
  if (operand.out) named.written.push_back(name);
  return name;
}

std::string Writer::operand(const Form& form, const OperandSpec& operand, bool may_be_literal, Named& named) {
  if (operand.kind == OperandKind::Immediate) return std::to_string(pick(256));
  const auto one = [&](unsigned place) { return register_of(form, operand, named, place); };
  if (operand.kind == OperandKind::Vector || operand.kind == OperandKind::Fragment) {
    std::string all;
    for (unsigned i = 0; i < operand.count; ++i) {
      const std::string name = one(i);
      if (misreads_literals(form, operand)) line("add.u32 {0}, {0}, %me;", name);  // no literal any more
      all += (i == 0 ? "" : ", ") + name;
    }
    return "{" + all + "}";
  }
  if (operand.kind == OperandKind::Predicate) return (operand.negatable && pick(4) == 0 ? "!" : "") + one(0);
  const bool can_be_literal =
      may_be_literal && operand.in && !operand.out && operand.parts == 1 && operand.bits >= 16 &&
      (operand.value == ValueKind::Float ? operand.bits >= 32 : operand.value != ValueKind::None);
  if (can_be_literal && pick(7) == 0) return literal(operand);
  return one(0);
}

std::string Writer::instruction(const Form& form, const std::string& address, Need need) {
  // ptxas refuses literals in instructions that pick halves or bytes of operands, and for packed numbers.
  const bool picks =
      form.text.ends_with("x2") ||
      std::any_of(form.operand, form.operand + form.operands, [](const OperandSpec& each) {
        return each.attached.what == kernel::Attach::Pick || each.attached.what == kernel::Attach::Mask;
      });
  std::string out;
  Named named;
  for (unsigned i = 0; i < form.operands; ++i) {
    const OperandSpec& spec = form.operand[i];
    const bool left_out = spec.attached.what != kernel::Attach::None ||
                          (spec.optional && (!spec.paired || hides_divergence(form) || pick(2)));
    if (left_out) continue;
    std::string written;
    if (spec.kind == OperandKind::Address)
      written = "[" + address + "]";
    else if (form.sync_operand == static_cast<int>(i))
      written = "0xffffffff";
    else
      written = operand(form, spec,
                        !picks && !(i == 3 && decides_wrongly(form)) && !forgets_literal(form, i) &&
                            !crashes_of_literal(form) && !(confuses_names(form) && named.has_literal),
                        named);
    named.has_literal |= spec.kind == OperandKind::Register && !written.starts_with('%');
    if (need == Need::byte && written.find_first_not_of("0123456789") == std::string::npos &&
        written.size() > 2)
      written = "255";
    if (need == Need::divisor && spec.in && spec.value != ValueKind::Float && i + 1 == form.operands) {
      // Positive, so neither 0 nor -1.
      const char* const temporary = spec.bits == 16 ? "%ht" : spec.bits == 32 ? "%t" : "%dt";
      line("and.b{} {}, {}, 0x7fff;", spec.bits, temporary, written);
      line("or.b{0} {1}, {1}, 1;", spec.bits, temporary);
      written = temporary;
    }
    out += (out.empty() ? "" : spec.paired ? "|" : ", ") + written;
  }
  return fmt::format("{} {};", form.text, out);
}

void Writer::compute() {
  Need need = Need::nothing;
  const Form* chosen = &choose(Use::compute, need);
  while (in_function && fails_in_functions(*chosen)) chosen = &choose(Use::compute, need);
  const Form& form = *chosen;
  std::string instruction_text = instruction(form, "", need);
  // The compiler may fuse it; `fma` says how it rounds in any case.
  if (options_.unrounded && need == Need::rounding && form.opcode != "fma" && form.opcode != "mad")
    if (const auto at = instruction_text.find(".rn."); at != std::string::npos) instruction_text.erase(at, 3);
  line("{}{}", loses_guard(form) || hangs_under_guard(form) ? "" : guard(), instruction_text);
}

void Writer::access(Use use) {
  const Form* chosen = &choose(use);
  while (use == Use::update && loops_around != 0 && fails_in_loops(*chosen)) chosen = &choose(use);
  const Form& form = *chosen;
  const auto* const address =
      std::find_if(form.operand, form.operand + form.operands,
                   [](const OperandSpec& operand) { return operand.kind == OperandKind::Address; });
  // Private memory: 64 bytes, in shared memory 32.
  const unsigned bytes = bytes_at(form), all = address->space == kernel::Space::Shared ? 32 : 64;
  const unsigned place = bytes * pick(all / bytes);
  std::string base = "%base";
  if (address->space == kernel::Space::Shared) base = "%shared";
  if (address->space == kernel::Space::Local) base = "%local";
  std::string at = fmt::format("{}+{}", base, place);
  if (pick(3) == 0 && all % bytes == 0) {  // a place of its own choice
    line("and.b32 %t, {}, {};", word(), all / bytes - 1);
    line("mul.wide.u32 %dt, %t, {};", bytes);
    line("add.s64 %dt, %dt, {};", base);
    at = "%dt";
  }
  const std::string instruction_text = instruction(form, at, Need::nothing);
  line("{}{}", guard(), instruction_text);
}

}  // namespace wedjat::programs
