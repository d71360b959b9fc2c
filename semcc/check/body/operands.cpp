#include "semcc/check/body/operands.h"

#include <fmt/format.h>

#include <algorithm>

#include "semcc/check/types/types.h"

namespace semcc::check {
namespace {

using front::OperandRef;
using ir::Attachment;
using ir::OperandKind;

struct AttachmentName {
  const char* word;
  Attachment::What what;
  std::size_t arguments;  // elements, the number if nothing is written
};
constexpr AttachmentName attachments[] = {{"minus", Attachment::What::Minus, 0},
                                          {"part_selector", Attachment::What::Part, 0},
                                          {"pick_selector", Attachment::What::Pick, 2},
                                          {"mask_selector", Attachment::What::Mask, 1}};
constexpr unsigned whole_word = 0x40;  // four bytes from byte 0

bool give_attachment(ir::Operand& operand, const front::Expr& e, Evaluator& names) {
  const std::string& word = e.what == front::Expr::What::Call ? e.args[0]->text : e.text;
  const auto* known = std::find_if(std::begin(attachments), std::end(attachments),
                                   [&](const AttachmentName& name) { return word == name.word; });
  if (known == std::end(attachments)) return false;
  const std::size_t given = e.what == front::Expr::What::Call ? e.args.size() - 1 : 0;
  if (given != known->arguments)
    throw Refusal{e.at, fmt::format("{} takes {} arguments", word, known->arguments)};
  const auto argument = [&](std::size_t i) {
    return static_cast<unsigned>(
        build::number_of(names.number(names.value(*e.args[i]), e.at), "a selector").get_ui());
  };
  Attachment& attached = operand.attached;
  attached.what = known->what;
  if (given > 0) {
    attached.elements = argument(1);
    if (attached.elements != 2 && attached.elements != 4)
      throw Refusal{e.at, "a selector speaks of 2 halves or 4 bytes"};
  }
  if (attached.what == Attachment::What::Part) attached.absent = whole_word;
  if (attached.what == Attachment::What::Pick) attached.absent = argument(2);
  if (attached.what == Attachment::What::Mask) attached.absent = (1u << attached.elements) - 1;
  operand.type = integer_type(32, false);
  return true;
}

void give_type(ir::Operand& operand, const front::Expr& e, Evaluator& names) {
  using What = front::Expr::What;
  if (give_attachment(operand, e, names)) return;
  const std::string function =
      e.what == front::Expr::What::Call && e.args[0]->what == What::Name ? e.args[0]->text : "";
  const auto want = [&](std::size_t count) {
    if (e.args.size() != count + 1)
      throw Refusal{e.at, fmt::format("{} takes {} argument{}", function, count, count == 1 ? "" : "s")};
  };
  if (function == "address") {
    want(1);
    operand.kind = OperandKind::Address;
    operand.type = integer_type(64, false);
    operand.space = space_of(names, *e.args[1]);
    return;
  }
  if (function == "tuple" || function == "vector" || function == "fragment") {
    want(2);
    operand.type = names.type(*e.args[1]);
    const Value count = names.value(*e.args[2]);
    mpz_class elements = 1;
    if (count.is(Value::What::Word)) {
      if (!count.word.empty()) elements = mpz_class(count.word.substr(1));
    } else {
      elements = build::number_of(names.number(count, e.args[2]->at), "the number of elements");
    }
    if (elements < 1 || elements > 128) throw Refusal{e.at, "a vector has 1 to 128 elements"};
    operand.count = static_cast<unsigned>(elements.get_ui());
    if (function == "fragment")
      operand.kind = OperandKind::Fragment;
    else if (function == "tuple" || operand.count > 1)
      operand.kind = OperandKind::Vector;
    return;
  }
  if (function == "immediate" || (e.what == What::Name && e.text == "immediate")) {
    operand.kind = OperandKind::Immediate;
    operand.type = function.empty() ? integer_type(32, false) : names.type(*e.args[1]);
    return;
  }
  static const std::map<std::string, OperandKind> bare{
      {"label", OperandKind::Label}, {"function", OperandKind::Function}, {"list", OperandKind::List}};
  if (const auto kind = bare.find(e.text); e.what == What::Name && kind != bare.end()) {
    operand.kind = kind->second;
    return;
  }
  operand.type = names.type(e);
  if (operand.type.width == 0) throw Refusal{e.at, "an operand needs a type of a certain width"};
  if (operand.type.kind == ir::Kind::Pred) operand.kind = OperandKind::Predicate;
}

void give_notation(ir::Operand& operand, const OperandRef& ref) {
  using How = OperandRef::How;
  if (ref.how == How::Joined && (!operand.in || operand.out))
    throw Refusal{ref.at, fmt::format("{} is no input: only inputs stand in an address", ref.name)};
  // Behind another address no displacement may stand: a value.
  if (ref.how == How::Joined && operand.kind == OperandKind::Address) operand.kind = OperandKind::Register;
  if ((ref.how == How::Address) != (operand.kind == OperandKind::Address))
    throw Refusal{ref.at, fmt::format("an address is written [{0}], and only an address", ref.name)};
  if (ref.how == How::Negatable && (operand.kind != OperandKind::Predicate || !operand.in))
    throw Refusal{ref.at, fmt::format("{} is not a predicate that is read: it cannot be negated", ref.name)};
  if (ref.how == How::Paired && !operand.out)
    throw Refusal{ref.at, fmt::format("{} is no output: only outputs stand after |", ref.name)};
  const bool attached = ref.how == How::Minus || ref.how == How::Selectable || ref.how == How::Selected;
  const bool is_minus = operand.attached.what == Attachment::What::Minus;
  if (attached != (operand.attached.what != Attachment::What::None) || (ref.how == How::Minus) != is_minus)
    throw Refusal{ref.at,
                  fmt::format("{} is written {{-sign}}a if it is a minus, a{{.part}} or a.part if a selector",
                              ref.name)};
  operand.attached.required = ref.how == How::Selected;
  operand.negatable = ref.how == How::Negatable;
  operand.paired = ref.how == How::Paired || ref.how == How::Joined;
  operand.optional = ref.optional;
}

Filters filters_of(const front::OperandDecl& declaration, ir::Operand& operand, Evaluator& names) {
  static const std::map<std::string, ir::Op> known{
      {"flush", ir::Op::Flush}, {"canonical", ir::Op::Canonical}, {"unit_clamp", ir::Op::UnitClamp}};
  Filters result;
  for (const front::Filter& filter : declaration.filters) {
    const auto op = known.find(filter.name);
    if (op == known.end() && filter.name != "extend")
      throw Refusal{
          filter.at,
          fmt::format("unknown filter {}: there are flush, canonical, unit_clamp and extend", filter.name)};
    if (filter.when && !names.decide(*filter.when)) continue;
    if (op == known.end()) {
      operand.extends = true;
      continue;
    }
    if (operand.type.kind != ir::Kind::Float)
      throw Refusal{filter.at, fmt::format("{} filters floats, but {} is {}", filter.name, operand.name,
                                           operand.type.name())};
    result.push_back(op->second);
  }
  return result;
}

}  // namespace

FormOperands operands_of(const front::Instruction& instruction, const front::FormDecl& form,
                         Evaluator& names) {
  FormOperands result;
  for (const OperandRef& ref : form.operands) {
    const auto declaration = std::find_if(instruction.operands.begin(), instruction.operands.end(),
                                          [&](const front::OperandDecl& d) { return d.name == ref.name; });
    if (declaration == instruction.operands.end())
      throw Refusal{ref.at, fmt::format("operand {} has no declaration", ref.name)};
    ir::Operand operand;
    operand.name = ref.name;
    operand.in = declaration->in;
    operand.out = declaration->out;
    operand.sink = declaration->sink;
    give_type(operand, *declaration->type, names);
    give_notation(operand, ref);
    result.filters.push_back(filters_of(*declaration, operand, names));
    result.list.push_back(std::move(operand));
  }
  return result;
}

}  // namespace semcc::check
