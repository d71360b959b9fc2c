#include "semcc/check/machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "semcc/check/machine/value.h"
#include "semcc/check/types/sentence.h"
#include "semcc/check/types/since.h"
#include "semcc/check/types/types.h"

namespace semcc::check {
namespace {

using front::Expr;
using front::Refusal;

constexpr unsigned without_component = 3;  // of a register that is no vector; of one: w, which is 0

struct Shape {
  ir::Type type;
  unsigned count = 1;
};

// `u32`, `pred`, `vector(u32, 4)`.
Shape shape_of(const front::ExprPtr& written) {
  const bool is_vector = written->what == Expr::What::Call && written->args[0]->text == "vector" &&
                         written->args.size() == 3 && written->args[2]->what == Expr::What::Number;
  const Expr& element = is_vector ? *written->args[1] : *written;
  const auto type = element.what == Expr::What::Name ? type_named(element.text) : std::nullopt;
  const bool fits = type && type->parts == 1 && type->width <= 64 &&
                    (type->kind == ir::Kind::Pred || (type->kind == ir::Kind::Integer && type->width >= 16));
  if (!fits)
    throw Refusal{written->at, "the machine has integers of 16 to 64 bits, pred and vectors of these"};
  return {*type, is_vector ? static_cast<unsigned>(written->args[2]->number.get_ui()) : 1};
}

ir::Source source(const front::SourceDecl& declared) {
  static const std::map<std::string, ir::Source::Per> periods = {{"launch", ir::Source::Per::Launch},
                                                                 {"cta", ir::Source::Per::Cta},
                                                                 {"warp", ir::Source::Per::Warp},
                                                                 {"lane", ir::Source::Per::Lane},
                                                                 {"read", ir::Source::Per::Read}};
  const Shape shape = shape_of(declared.type);
  if (shape.count != 1 && shape.count != 3)
    throw Refusal{declared.type->at, "a source has one component or three"};
  const auto per = periods.find(declared.per);
  if (per == periods.end())
    throw Refusal{declared.per_at, "a source is the same per launch, cta, warp, lane or read"};
  return {declared.name, declared.summary, shape.count, per->second, declared.at};
}

ir::Device device(const front::DeviceDecl& declared, const ir::Program& program,
                  front::Diagnostics& diagnostics) {
  if (!program.devices.empty()) throw Refusal{declared.at, "there is one device"};
  ir::Device result{declared.name, declared.summary, {}, declared.at};
  want_sentence(declared.summary, declared.at, diagnostics);
  for (const front::LimitDecl& limit : declared.limits) {
    want_sentence(limit.summary, limit.at, diagnostics);
    if (std::ranges::find(result.limits, limit.name, &ir::Limit::name) != result.limits.end())
      diagnostics.error(limit.at, fmt::format("the device has two limits {}", limit.name));
    ir::Limit checked{limit.name, limit.summary, limit.text, {}, limit.at};
    const bool is_set = limit.value->what == Expr::What::Set;
    for (const front::ExprPtr& value : is_set ? limit.value->args : std::vector{limit.value})
      checked.values.push_back(constant_value(value, program));
    result.limits.push_back(std::move(checked));
  }
  return result;
}

void note_periods(const ir::MachineValue& value, const ir::Program& program, ir::SpecialElement& into,
                  std::set<std::string>& used) {
  if (value.what == ir::MachineValue::What::Source) {
    used.insert(value.text);
    switch (std::ranges::find(program.sources, value.text, &ir::Source::name)->per) {
      case ir::Source::Per::Launch:
      case ir::Source::Per::Warp:  // rows are filled for a warp
        break;
      case ir::Source::Per::Cta:
        into.per_cta = true;
        break;
      case ir::Source::Per::Lane:
        into.per_lane = true;
        break;
      case ir::Source::Per::Read:
        into.per_read = into.per_cta = true;
        break;
    }
  }
  for (const ir::MachineValuePtr& arg : value.args) note_periods(*arg, program, into, used);
}

class SpecialChecker {
 public:
  SpecialChecker(ir::Program& program, front::Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  void add(const front::SpecialDecl& declared) {
    want_sentence(declared.summary, declared.at, diagnostics_);
    const Shape shape = shape_of(declared.type);
    if (shape.count != 1 && shape.count != 4)
      throw Refusal{declared.type->at, "a special register has one component or four"};
    ir::Special special{name_of(declared), names_of(declared), shape.type,    shape.count, {},
                        declared.manual,   declared.summary,   declared.text, {},          declared.at};
    narrow(special.since, declared.since);
    for (unsigned component = 0; component < shape.count; ++component) {
      const bool is_w = shape.count == 4 && component == 3;
      const auto value =
          is_w ? std::make_shared<const ir::MachineValue>()
               : machine_value(declared.value, program_, shape.count == 4 ? component : without_component);
      add_elements(special, value, component);
    }
    program_.specials.push_back(std::move(special));
  }

  void finish() {
    // One of several alike may have a line of its own, which counts.
    for (ir::Special& special : program_.specials)
      if (special.names.size() > 1) {
        std::erase_if(special.names, [&](const std::string& name) { return single_.contains(name); });
        std::erase_if(special.elements, [&](const auto& element) { return single_.contains(element.name); });
      }
    for (const ir::Source& source : program_.sources)
      if (!used_.contains(source.name))
        diagnostics_.error(source.at, fmt::format("no special register is made of {}", source.name));
  }

 private:
  static std::string name_of(const front::SpecialDecl& declared) {
    return declared.count
               ? fmt::format("{}<{}>{}", declared.before, declared.count->get_str(), declared.behind)
               : declared.before;
  }

  std::vector<std::string> names_of(const front::SpecialDecl& declared) {
    if (declared.count && *declared.count > 64) throw Refusal{declared.at, "at most 64 registers are alike"};
    std::vector<std::string> names;
    if (!declared.count) names.push_back(declared.before);
    for (unsigned i = 0; declared.count && i < declared.count->get_ui(); ++i)
      names.push_back(fmt::format("{}{}{}", declared.before, i, declared.behind));
    for (const std::string& name : names)
      if (!(declared.count ? several_ : single_).insert(name).second)
        throw Refusal{declared.at, fmt::format("two special registers are called {}", name)};
    return names;
  }

  void add_elements(ir::Special& special, const ir::MachineValuePtr& value, unsigned component) {
    for (const std::string& name : special.names) {
      ir::SpecialElement element{special.count == 1 ? name : fmt::format("{}.{}", name, "xyzw"[component]),
                                 value};
      note_periods(*value, program_, element, used_);
      if (element.per_read && element.per_lane)
        throw Refusal{special.at, "what changes while a thread runs is the same for all lanes"};
      if (special.type.kind == ir::Kind::Pred && element.per_lane)
        throw Refusal{special.at, "a predicate is the same for all lanes"};
      if (special.type.kind == ir::Kind::Pred && value->what == ir::MachineValue::What::Number)
        throw Refusal{special.at, "a predicate is no constant"};
      special.elements.push_back(std::move(element));
    }
  }

  ir::Program& program_;
  front::Diagnostics& diagnostics_;
  std::set<std::string> single_, several_, used_;
};

// What one declaration refuses keeps the others from nothing.
template <class Declarations, class Add>
void each(const Declarations& declarations, front::Diagnostics& diagnostics, Add add) {
  for (const auto& declared : declarations) {
    try {
      add(declared);
    } catch (const Refusal& refusal) {
      diagnostics.error(refusal);
    }
  }
}

}  // namespace

void add_machine(const front::Library& library, ir::Program& program, front::Diagnostics& diagnostics) {
  for (const front::File& file : library.files)
    each(file.devices, diagnostics,
         [&](const auto& declared) { program.devices.push_back(device(declared, program, diagnostics)); });
  for (const front::File& file : library.files)
    each(file.sources, diagnostics, [&](const front::SourceDecl& declared) {
      want_sentence(declared.summary, declared.at, diagnostics);
      if (std::ranges::find(program.sources, declared.name, &ir::Source::name) != program.sources.end())
        throw Refusal{declared.at, fmt::format("two sources are called {}", declared.name)};
      program.sources.push_back(source(declared));
    });
  SpecialChecker specials(program, diagnostics);
  for (const front::File& file : library.files)
    each(file.specials, diagnostics, [&](const auto& declared) { specials.add(declared); });
  if (!diagnostics.any()) specials.finish();
}

}  // namespace semcc::check
