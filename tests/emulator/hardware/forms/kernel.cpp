#include "tests/emulator/hardware/forms/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tests/emulator/hardware/forms/rounds.h"
#include "tests/emulator/hardware/forms/warp_inputs.h"

namespace wedjat::hardware_truth {
namespace {

std::string_view register_type(Type type) {
  switch (type) {
    case Type::b8:
      return "b8";
    case Type::b16:
      return "b16";
    case Type::b32:
      return "b32";
    case Type::b64:
      return "b64";
    case Type::b128:
      return "b128";
    case Type::pred:
      return "pred";
  }
  return "";
}

class Writer {
 public:
  Writer(const Form& form, Case& result) : form_(form), case_(result), out_(std::back_inserter(result.ptx)) {}

  void write() {
    const std::string instruction = name_operands();
    fmt::format_to(out_, ".visible .entry {}(.param .u64 pin, .param .u64 pout)\n{{\n", case_.entry);
    declare();
    const bool rounds = input_rounds.count > 0;
    if (rounds) {
      values_of_round();
    } else {
      for (const Slot& slot : case_.inputs) load(slot, "%index");
    }
    if (!membermask_.empty()) skip_others();
    // The carry flag is set and read by the same family as the instruction's: sub and subc keep a borrow in
    // it.
    const std::string_view family = form_.opcode().substr(0, 3) == "sub" ? "sub" : "add";
    if (form_.carry_in) {
      line(family == "sub" ? "sub.cc.u32 %carry_in, 0, %carry_in;"
                           : "add.cc.u32 %carry_in, %carry_in, 0xffffffff;");
    }
    line(guarded() ? "@%guard " + instruction : instruction);
    if (form_.carry_out) line(fmt::format("{}c.u32 %carry_out, 0, 0;", family));
    if (!membermask_.empty()) fmt::format_to(out_, "DONE:\n");
    for (const Slot& slot : case_.outputs) {
      if (rounds)
        text(round_sum(slot));
      else
        store(slot);
    }
    if (rounds) text(rounds_end());
    fmt::format_to(out_, "  ret;\n}}\n");
  }

 private:
  void line(std::string_view text) { fmt::format_to(out_, "  {}\n", text); }
  void text(std::string_view lines) { case_.ptx += lines; }

  // What lanes outside a membermask or without a guard have in the carry flag is nobody's.
  bool guarded() const {
    return input_rounds.count > 0 && input_rounds.guarded && !is_warp_wide(form_) && !form_.carry_out;
  }

  // The first destination is the first source too, where both are registers of one type.
  bool in_place(const Operand& operand) const {
    if (input_rounds.count == 0 || !input_rounds.guarded || is_warp_wide(form_) ||
        &operand != &form_.operands.front())
      return false;
    const auto source = std::ranges::find(form_.operands, Operand::Role::source, &Operand::role);
    return source != form_.operands.end() && operand.elements == 0 && source->elements == 0 &&
           operand.type == source->type;
  }

  bool is_first_again(const Operand& operand) const {
    if (!input_rounds.same || operand.role != Operand::Role::source || is_warp_wide(form_)) return false;
    const auto source = std::ranges::find(form_.operands, Operand::Role::source, &Operand::role);
    return operand.elements == 0 && source->elements == 0 && operand.type == source->type;
  }

  void values_of_round() {
    text(rounds_begin());
    const bool warp_wide = is_warp_wide(form_);
    for (unsigned position = 0; position < case_.inputs.size(); ++position) {
      const Slot& slot = case_.inputs[position];
      text(round_place(position, warp_wide));
      load(slot, "%at");
      if (slot.name != membermask_ && slot.name != "%carry_in") text(round_value(slot, position, warp_wide));
    }
    if (!guarded()) return;
    for (const Slot& slot : case_.outputs)
      if (slot.name[1] == 'd') text(round_old(slot));
    line("shr.u64 %noise, %key, 2;");
    line("xor.b64 %noise, %noise, %key;");
    line("shr.u64 %sparse, %noise, 33;");
    line("xor.b64 %noise, %noise, %sparse;");
    line("and.b64 %noise, %noise, 1;");
    line("setp.ne.u64 %guard, %noise, 0;");
  }

  static std::string add_slot(std::vector<Slot>& slots, char prefix, Type type) {
    const std::size_t offset =
        slots.empty() ? 0 : slots.back().offset + kLanes * slot_bytes(slots.back().type);
    slots.push_back({fmt::format("%{}{}", prefix, slots.size()), type, offset});
    return slots.back().name;
  }

  // Gives each register operand a slot and returns the text of the instruction.
  std::string name_operands() {
    std::string text = form_.mnemonic;
    for (const Operand& operand : form_.operands) {
      text += operand.after_bar ? "|" : &operand == &form_.operands.front() ? " " : ", ";
      if (operand.role == Operand::Role::literal) {
        text += operand.literal;
        continue;
      }
      const bool destination = operand.role == Operand::Role::destination;
      std::vector<Slot>& slots = destination ? case_.outputs : case_.inputs;
      std::string names;
      for (unsigned i = 0; i < std::max(operand.elements, 1u); ++i) {
        names += (i > 0 ? ", " : "") + add_slot(slots, destination ? 'd' : 's', operand.type);
      }
      if (operand.role == Operand::Role::membermask) membermask_ = names;
      if (destination && in_place(operand)) slots.back().name = names = "%s0";
      if (is_first_again(operand)) names = "%s0";
      text +=
          (operand.minus ? "-" : "") + (operand.elements > 0 ? "{" + names + "}" : names) + operand.selector;
    }
    if (form_.carry_in) {
      add_slot(case_.inputs, 's', Type::b32);
      case_.inputs.back().name = "%carry_in";
    }
    if (form_.carry_out) {
      add_slot(case_.outputs, 'd', Type::b32);
      case_.outputs.back().name = "%carry_out";
    }
    return text + ";";
  }

  void declare() {
    for (const std::vector<Slot>* slots : {&case_.inputs, &case_.outputs}) {
      for (const Slot& slot : *slots)
        if (slots == &case_.inputs || slot.name[1] != 's')
          line(fmt::format(".reg .{} {};", register_type(slot.type), slot.name));
    }
    line(".reg .pred %member;");
    line(".reg .b16 %byte;");
    line(".reg .b32 %index, %size, %bit;");
    line(".reg .b64 %in, %out, %address, %low, %high;");
    line("mov.u32 %index, %ctaid.x;");
    line("mov.u32 %size, %ntid.x;");
    line("mov.u32 %bit, %tid.x;");
    line("mad.lo.u32 %index, %index, %size, %bit;");
    for (const auto& [name, parameter] : {std::pair("%in", "pin"), std::pair("%out", "pout")}) {
      line(fmt::format("ld.param.u64 {}, [{}];", name, parameter));
      line(fmt::format("cvta.to.global.u64 {0}, {0};", name));
    }
  }

  void load(const Slot& slot, std::string_view lane) {
    line(fmt::format("mad.wide.u32 %address, {}, {}, %in;", lane, slot_bytes(slot.type)));
    if (slot.type == Type::pred) {
      line(fmt::format("ld.global.u8 %byte, [%address+{}];", slot.offset));
      line(fmt::format("setp.ne.u16 {}, %byte, 0;", slot.name));
    } else if (slot.type == Type::b128) {
      line(fmt::format("ld.global.v2.b64 {{%low, %high}}, [%address+{}];", slot.offset));
      line(fmt::format("mov.b128 {}, {{%low, %high}};", slot.name));
    } else {
      line(fmt::format("ld.global.{} {}, [%address+{}];", register_type(slot.type), slot.name, slot.offset));
    }
  }

  // Lanes that are not in the membermask keep zeros.
  void skip_others() {
    for (const Slot& slot : case_.outputs) {
      line(slot.type == Type::pred ? fmt::format("setp.ne.u32 {}, %index, %index;", slot.name)
                                   : fmt::format("mov.{} {}, 0;", register_type(slot.type), slot.name));
    }
    line("mov.u32 %bit, %laneid;");
    line(fmt::format("shr.u32 %bit, {}, %bit;", membermask_));
    line("and.b32 %bit, %bit, 1;");
    line("setp.ne.u32 %member, %bit, 0;");
    line("@!%member bra DONE;");
  }

  void store(const Slot& slot) {
    line(fmt::format("mad.wide.u32 %address, %index, {}, %out;", slot_bytes(slot.type)));
    if (slot.type == Type::pred) {
      line(fmt::format("selp.u16 %byte, 1, 0, {};", slot.name));
      line(fmt::format("st.global.u8 [%address+{}], %byte;", slot.offset));
    } else if (slot.type == Type::b128) {
      line(fmt::format("mov.b128 {{%low, %high}}, {};", slot.name));
      line(fmt::format("st.global.v2.b64 [%address+{}], {{%low, %high}};", slot.offset));
    } else {
      line(fmt::format("st.global.{} [%address+{}], {};", register_type(slot.type), slot.offset, slot.name));
    }
  }

  const Form& form_;
  Case& case_;
  std::back_insert_iterator<std::string> out_;
  std::string membermask_;
};

std::string value_text(const Slot& slot, std::span<const std::byte> buffer, std::size_t lane) {
  const unsigned size = slot_bytes(slot.type);
  std::string digits;
  for (unsigned i = size; i-- > 0;) {
    digits += fmt::format("{:02x}", std::to_integer<unsigned>(buffer[slot.offset + lane * size + i]));
  }
  return "0x" + digits;
}

}  // namespace

unsigned slot_bytes(Type type) {
  switch (type) {
    case Type::b8:
    case Type::pred:
      return 1;
    case Type::b16:
      return 2;
    case Type::b32:
      return 4;
    case Type::b64:
      return 8;
    case Type::b128:
      return 16;
  }
  return 0;
}

std::uint64_t Case::input_hash() const { return XXH3_64bits(input.data(), input.size()); }

Case make_case(const Form& form, std::string entry) {
  Case result(form.text, std::move(entry));
  Writer(form, result).write();
  for (const Slot& slot : result.outputs) result.output_bytes += kLanes * slot_bytes(slot.type);
  if (input_rounds.count > 0) result.output_bytes = kLanes * std::size_t{8};
  const std::vector<Values> values = make_inputs(form);
  for (const Values& one : values) {
    const unsigned size = slot_bytes(one.type);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      // Little endian, as the GPU and every host this builds for.
      std::uint64_t words[2] = {one.low[lane], one.high.empty() ? 0 : one.high[lane]};
      const auto* bytes = reinterpret_cast<const std::byte*>(words);
      result.input.insert(result.input.end(), bytes, bytes + size);
    }
  }
  return result;
}

std::vector<Case> make_cases(std::span<const Form> forms) {
  std::vector<Case> cases;
  cases.reserve(forms.size());
  for (const Form& form : forms) cases.push_back(make_case(form, fmt::format("form_{}", cases.size())));
  return cases;
}

std::size_t one_module(std::span<const Case> cases, std::size_t most) {
  std::size_t count = 0;
  const auto fits = [&](const Case& one) {
    return one.head == cases.front().head && one.target_options == cases.front().target_options;
  };
  while (count < std::min(most, cases.size()) && fits(cases[count])) ++count;
  return count;
}

std::string module_text(std::span<const Case> cases) {
  const Case& first = cases.front();
  std::string text =
      fmt::format(".version 9.0\n.target sm_90a{}\n.address_size 64\n{}", first.target_options, first.head);
  for (const Case& one : cases) text += fmt::format("\n// {}\n{}", one.form, one.ptx);
  return text;
}

std::string describe_difference(const Case& one, std::span<const std::byte> expected,
                                std::span<const std::byte> got) {
  if (expected.size() != one.output_bytes || got.size() != one.output_bytes) {
    return fmt::format("{}: {} output bytes expected, {} got, {} needed", one.form, expected.size(),
                       got.size(), one.output_bytes);
  }
  std::size_t different = 0;
  std::string first;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::string outputs;
    for (const Slot& slot : one.outputs) {
      const unsigned size = slot_bytes(slot.type);
      const std::size_t at = slot.offset + lane * size;
      if (std::memcmp(&expected[at], &got[at], size) == 0) continue;
      outputs += fmt::format(" {} expected {} got {}", slot.name, value_text(slot, expected, lane),
                             value_text(slot, got, lane));
    }
    if (outputs.empty() || different++ > 0) continue;
    first = fmt::format("lane {}:", lane);
    for (const Slot& slot : one.inputs)
      first += fmt::format(" {}={}", slot.name, value_text(slot, one.input, lane));
    first += " ->" + outputs;
  }
  return different == 0 ? ""
                        : fmt::format("{}: {} of {} lanes differ, {}", one.form, different, kLanes, first);
}

}  // namespace wedjat::hardware_truth
