#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "semcc/ir/printer.h"

namespace semcc::ir {
namespace {

struct SpaceNames {
  const char *word, *letters;  // as PTX writes it, as in a pattern
};

SpaceNames names_of(Space space) {
  switch (space) {
    case Space::None:
      break;
    case Space::Generic:
      return {"generic", "gen"};
    case Space::Global:
      return {"global", "g"};
    case Space::Shared:
      return {"shared", "s"};
    case Space::SharedCluster:
      return {"shared::cluster", "sc"};
    case Space::Local:
      return {"local", "l"};
    case Space::Const:
      return {"const", "c"};
    case Space::Param:
      return {"param", "p"};
    case Space::ParamEntry:
      return {"param::entry", "p"};
    case Space::ParamFunc:
      return {"param::func", "fp"};
    case Space::Texture:
      return {"texture", "tex"};
    case Space::Surface:
      return {"surface", "surf"};
    case Space::Sampler:
      return {"sampler", "smp"};
    case Space::Tensor:
      return {"tensor", "t"};
  }
  return {"none", "gen"};
}

std::string register_pattern(const Operand& operand) {
  const char* side = operand.in && operand.out ? "x" : operand.out ? "d" : "s";
  if (operand.kind == OperandKind::Predicate || operand.type.kind == Kind::Pred)
    return fmt::format("{}.pred", side);
  return fmt::format("{}.b{}", side, std::max(operand.type.bits(), 16u));
}

std::string pattern(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::Register:
    case OperandKind::Predicate:
      break;
    case OperandKind::Vector:
    case OperandKind::Fragment:
      return fmt::format("{{{}*{}}}", register_pattern(operand), operand.count);
    case OperandKind::Address:
      return fmt::format("[{}]", names_of(operand.space).letters);
    case OperandKind::Immediate:
      return "#imm";
    case OperandKind::Label:
      return "label";
    case OperandKind::Function:
      return "function";
    case OperandKind::List:
      return "list";
  }
  return register_pattern(operand);
}

// Stands in the brackets of the address before it.
bool joined(const Operand& operand) { return operand.paired && !operand.out; }

std::string name_text(const Operand& operand) {
  if (operand.kind == OperandKind::Address) return "[" + operand.name + "]";
  return (operand.negatable ? "{!}" : "") + operand.name;
}

std::string type_text(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::Register:
      break;
    case OperandKind::Predicate:
      return "pred";
    case OperandKind::Vector:
      if (operand.count == 1) return fmt::format("tuple({}, 1)", operand.type.name());
      return fmt::format("vector({}, {})", operand.type.name(), operand.count);
    case OperandKind::Fragment:
      return fmt::format("fragment({}, {})", operand.type.name(), operand.count);
    case OperandKind::Address:
      return fmt::format("address({})", names_of(operand.space).word);
    case OperandKind::Immediate:
      return "immediate";
    case OperandKind::Label:
      return "label";
    case OperandKind::Function:
      return "function";
    case OperandKind::List:
      return "list";
  }
  return operand.type.name();
}

}  // namespace

std::vector<std::string> patterns(const Form& form) {
  std::vector<std::string> written{""};
  for (const Operand& operand : form.operands) {
    if (operand.attached.what != Attachment::What::None) continue;
    const std::size_t known = written.size();
    for (std::size_t i = 0; i < known; ++i) {
      const std::string without = written[i];
      if (joined(operand))
        written[i].insert(without.size() - 1, "," + pattern(operand));
      else
        written[i] += (without.empty() ? "" : operand.paired ? "|" : ", ") + pattern(operand);
      if (operand.optional) written.push_back(without);
    }
  }
  std::sort(written.begin(), written.end());
  written.erase(std::unique(written.begin(), written.end()), written.end());
  return written;
}

std::string summary(const Form& form) {
  const std::string since = since_text(form.since);
  std::string out;
  for (const std::string& pattern : patterns(form))
    out += fmt::format("{}\t{}\t{}{}\t{}\n", form.text(), pattern, since.empty() ? "" : "since ", since,
                       hints_text(form));
  return out;
}

std::string since_text(const Since& since) {
  std::string out;
  if (since.ptx_major != 0) out = fmt::format("{}.{}", since.ptx_major, since.ptx_minor);
  if (!since.targets.empty())
    out += fmt::format("{}{}", out.empty() ? "" : " ", fmt::join(since.targets, " or "));
  return out;
}

std::string hints_text(const Form& form) {
  std::string out;
  for (const std::vector<std::string>& group : form.hints) {
    if (!out.empty()) out += '|';
    out += fmt::format("{}", fmt::join(group, " "));
  }
  return out;
}

std::vector<std::string> effect_names(const Effects& effects) {
  const std::pair<bool, const char*> all[] = {{effects.reads_memory, "reads_memory"},
                                              {effects.writes_memory, "writes_memory"},
                                              {effects.updates_memory, "updates_memory"},
                                              {effects.ordered, "ordered"},
                                              {effects.warp_sync, "warp_sync"},
                                              {effects.aligned, "aligned"},
                                              {effects.barrier, "barrier"},
                                              {effects.fence, "fence"},
                                              {effects.reads_state, "reads_state"},
                                              {effects.writes_state, "writes_state"},
                                              {effects.can_fail, "can_fail"},
                                              {effects.waits, "waits"},
                                              {effects.reads_other_lanes, "reads_other_lanes"}};
  std::vector<std::string> names;
  for (const auto& [set, name] : all)
    if (set) names.emplace_back(name);
  return names;
}

const char* level_name(Level level) {
  switch (level) {
    case Level::Thread:
      return "thread";
    case Level::Warp:
      return "warp";
    case Level::Cta:
      return "cta";
    case Level::Control:
      break;
  }
  return "control";
}

std::string operand_list(const Form& form) {
  std::string out;
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    const Operand& operand = form.operands[i];
    if (operand.attached.what != Attachment::What::None) {
      if (operand.attached.what != Attachment::What::Minus)
        out += operand.attached.required ? "." + operand.name : "{." + operand.name + "}";
      continue;
    }
    if (joined(operand)) {
      out.insert(out.size() - 1, operand.optional ? "{, " + operand.name + "}" : ", " + operand.name);
      continue;
    }
    if (operand.paired) {
      out += operand.optional ? "[|" + operand.name + "]" : "|" + operand.name;
      continue;
    }
    const bool signed_ =
        i + 1 < form.operands.size() && form.operands[i + 1].attached.what == Attachment::What::Minus;
    const std::string text =
        (out.empty() ? "" : ", ") + std::string(signed_ ? "{-}" : "") + name_text(operand);
    out += operand.optional ? "{" + text + "}" : text;
  }
  return out;
}

namespace {

const char* attachment_text(const Attachment& attached) {
  switch (attached.what) {
    case Attachment::What::None:
      break;
    case Attachment::What::Minus:
      return "1 if `-` stands before the operand";
    case Attachment::What::Part:
      return "which byte or half: b0 b1 b2 b3 h0 h1";
    case Attachment::What::Pick:
      return attached.elements == 2 ? "two halves of b:a, the upper first: h10"
                                    : "four bytes of b:a, the upper first: b3210";
    case Attachment::What::Mask:
      return attached.elements == 2 ? "the halves written: h0 h1 h10" : "the bytes written: b0 to b3210";
  }
  return nullptr;
}

}  // namespace

std::string operand_text(const Operand& operand) {
  if (const char* text = attachment_text(operand.attached)) return text;
  return fmt::format("{} {}{}{}",
                     operand.in && operand.out ? "inout"
                     : operand.out             ? "out"
                                               : "in",
                     type_text(operand), operand.extends ? " via extend" : "", operand.sink ? " sink" : "");
}

}  // namespace semcc::ir
