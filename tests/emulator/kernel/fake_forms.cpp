#include "tests/emulator/kernel/fake_forms.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "emulator/kernel/forms/form_key.h"

namespace wedjat::test {
namespace {

using namespace kernel;

void no_effect(exec::WarpContext&, const Step&, std::uint32_t) {}

void read_type(OperandSpec& spec, std::string_view type) {
  if (type == "pred") {
    spec.kind = OperandKind::Predicate;
    spec.value = ValueKind::Pred;
    spec.bits = 1;
    return;
  }
  spec.value = type[0] == 'f'   ? ValueKind::Float
               : type[0] == 's' ? ValueKind::Signed
               : type[0] == 'u' ? ValueKind::Unsigned
                                : ValueKind::Bits;
  spec.format = type[0] == 'f' ? type : std::string_view();
  spec.bits = static_cast<std::uint8_t>(std::stoi(std::string(type.substr(1))));
}

Control control_named(std::string_view name) {
  return name == "branch"           ? Control::Branch
         : name == "branch_indexed" ? Control::BranchIndexed
         : name == "call"           ? Control::Call
         : name == "return"         ? Control::Return
                                    : Control::Exit;
}

// "<d:s32~"
OperandSpec read_operand(std::string_view text) {
  OperandSpec spec{};
  spec.kind = OperandKind::Register;
  spec.parts = 1;
  spec.count = 1;
  if (text[0] == '|') spec.paired = true, text.remove_prefix(1);
  spec.out = text[0] == '<';
  spec.in = !spec.out;
  if (spec.out) text.remove_prefix(1);
  for (; text.back() == '~' || text.back() == '!'; text.remove_suffix(1)) {
    (text.back() == '~' ? spec.extends : spec.negatable) = true;
  }
  spec.name = text.substr(0, text.find(':'));
  const std::string_view type = text.substr(text.find(':') + 1);
  if (type == "label")
    spec.kind = OperandKind::Label;
  else if (type == "list")
    spec.kind = OperandKind::List;
  else if (type.starts_with("[")) {
    spec.kind = OperandKind::Address;
    spec.bits = 64;
    spec.space = type == "[param]"    ? Space::Param
                 : type == "[global]" ? Space::Global
                 : type == "[shared]" ? Space::Shared
                 : type == "[local]"  ? Space::Local
                                      : Space::Generic;
  } else if (type[1] == 'x') {  // "4xf32"
    spec.kind = OperandKind::Vector;
    spec.count = static_cast<std::uint16_t>(type[0] - '0');
    read_type(spec, type.substr(2));
  } else {
    read_type(spec, type);
  }
  return spec;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('.'), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace

FakeForms::FakeForms(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    Form form{};
    form.text = texts_.emplace_back(word);
    const auto words = words_of(form.text);
    form.opcode = words[0];
    form.key = texts_.emplace_back(form_key(words[0], std::span(words).subspan(1)));
    form.source = "fake";
    form.sync_operand = -1;
    form.level = Level::Thread;
    form.full = form.masked = no_effect;
    auto& operands = operands_.emplace_back();
    while (in >> word) {
      if (word[0] == '@') {
        form.control = control_named(word.substr(1));
        form.level = Level::Control;
        form.full = form.masked = nullptr;
      } else if (word[0] == '{') {
        std::ranges::replace(word, ',', ' ');
        form.hints = texts_.emplace_back(word.substr(1, word.size() - 2));
      } else if (word.starts_with("since")) {
        form.ptx = static_cast<std::uint16_t>(100 * (word[5] - '0') + (word[7] - '0'));
      } else if (word.starts_with("on:")) {
        form.targets = texts_.emplace_back(word.substr(3));
      } else {
        operands.push_back(read_operand(texts_.emplace_back(word)));
      }
    }
    form.operand = operands.data();
    form.operands = static_cast<std::uint8_t>(operands.size());
    forms_.push_back(form);
  }
  std::ranges::stable_sort(forms_, {}, &Form::key);
}

const FormTable& fake_table() {
  static const FakeForms forms({
      "mov.pred <d:pred a:pred",
      "mov.b16 <d:b16 a:b16",
      "mov.b32 <d:b32 a:b32",
      "mov.b64 <d:b64 a:b64",
      "mov.u32 <d:u32 a:u32",
      "mov.u64 <d:u64 a:u64",
      "mov.f32 <d:f32 a:f32",
      "add.s32 <d:s32 a:s32 b:s32",
      "add.u64 <d:u64 a:u64 b:u64",
      "add.f32 <d:f32 a:f32 b:f32",
      "not.pred <d:pred a:pred",
      "setp.lt.s32 <p:pred |<q:pred a:s32 b:s32",
      "and.pred <d:pred a:pred! b:pred!",
      "cvt.u64.u32 <d:u64~ a:u32~",
      "cvt.u32.u8 <d:u32~ a:u8~",
      "cvt.s32.s8 <d:s32~ a:s8~",
      "cvt.u8.u32 <d:u8~ a:u32~",
      "ld.param.u32 <d:u32~ a:[param]",
      "ld.param.u64 <d:u64~ a:[param]",
      "ld.param.b32 <d:b32~ a:[param]",
      "ld.global.u32 <d:u32~ a:[global] {ca,cg|L2::128B}",
      "ld.global.s8 <d:s8~ a:[global]",
      "ld.shared.u32 <d:u32~ a:[shared]",
      "ld.global.v4.f32 <d:4xf32~ a:[global]",
      "tex.2d.v4.f32.s32 <d:4xf32 t:[] |c:2xs32",
      "tiles.2d t:[] |c:2xs32",
      "atom.add.u32 <d:u32 a:[global] b:u32",
      "st.global.u32 a:[global] b:u32~",
      "st.global.u8 a:[global] b:u8~",
      "st.param.b32 a:[param] b:b32~",
      "ld.local.b32 <d:b32~ a:[local]",
      "st.local.b32 a:[local] b:b32~",
      "bra l:label @branch",
      "bra.uni l:label @branch",
      "brx.idx a:u32 l:list @branch_indexed",
      "ret @return",
      "exit @exit",
      "call @call",
      "call.uni @call",
      "fresh.b32 <d:b32 a:b32 since7.8 on:sm_90a",
  });
  static const FormTable table(forms.forms());
  return table;
}

}  // namespace wedjat::test
