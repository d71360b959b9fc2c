#include "emulator/kernel/ptxas/literals.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/kernel/draft/straight_runs.h"
#include "emulator/kernel/draft/versions.h"
#include "emulator/kernel/forms/compute.h"
#include "emulator/kernel/forms/micro_forms.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/ptxas/literal_functions.h"

namespace wedjat::kernel {
namespace {

// Whether result and inputs are single-precision numbers.
bool is_of_f32(const Form& form) {
  return std::ranges::all_of(std::span(form.operand, form.operands),
                             [](const OperandSpec& spec) { return spec.format == "f32" && spec.parts == 1; });
}

bool changes_sign(const Form* form) { return is(form, Operation::negation, Operation::magnitude); }

// What ptxas makes of the sign of a literal NaN, where the hardware would leave its one NaN or the sign
// alone; nothing: it is no NaN.
std::optional<std::uint64_t> signed_nan(const Form* form, std::uint64_t bits, unsigned bytes) {
  const std::uint64_t sign = 1ull << (8 * bytes - 1), infinity = bytes == 4 ? 0xffull << 23 : 0x7ffull << 52,
                      quiet = bytes == 4 ? 1ull << 22 : 1ull << 51;
  if ((bits & (sign - 1)) <= infinity) return {};
  return (is(form, Operation::negation) ? bits ^ sign : bits & ~sign) | quiet;
}

class Literals {
 public:
  Literals(Draft& draft, const ContractionRules& rules, const FormTable& table)
      : draft_(draft),
        rules_(rules),
        micro_(table),
        blocks_(reachable_blocks(draft)),
        versions_(draft, blocks_) {}

  // In the order of the steps: what a loop reads before it writes it is not known.
  void run() {
    for (std::uint32_t b : blocks_) {
      block_ = b;
      const std::uint32_t end = draft_.blocks[b].first + draft_.blocks[b].count;
      for (step_ = draft_.blocks[b].first; step_ < end; ++step_) visit(draft_.steps[step_]);
    }
  }

 private:
  // Under a guard, too, it is computed, but what its register holds then is not known.
  void visit(DraftStep& step) {
    if (fold_sign(step)) return;
    const std::optional<std::uint32_t> result = of(step);
    if (!result) return;
    if (step.guard == no_value) known_[Versions::written(step_, 0)] = *result;
    if (functions_.know(step.form)) become(step, 4, *result);
  }

  void become(DraftStep& step, unsigned bytes, std::uint64_t literal) {
    step.form = &micro_.move(bytes);
    step.uses = 2;
    draft_.uses[step.first_use + 1].value = draft_.fill(RowFill::Source::Constant, bytes, literal);
  }

  bool fold_sign(DraftStep& step) {
    if (step.uses != 2 || !rules_.computes(step.form) || !changes_sign(step.form)) return false;
    const Value& value = draft_.values[draft_.uses_of(step)[1].value];
    if (!value.is_fill || value.fill.source != RowFill::Source::Constant || value.bytes < 4) return false;
    const auto result = signed_nan(step.form, value.fill.value, value.bytes);
    if (result) become(step, value.bytes, *result);
    return result.has_value();
  }

  // Patterns of numbers that are zero or normal.
  std::optional<std::uint32_t> of(ValueId id) {
    const Value& value = draft_.values[id];
    if (!value.is_fill) {
      const auto found = known_.find(versions_.read(id, block_, step_));
      return found == known_.end() ? std::nullopt : std::optional(found->second);
    }
    if (value.fill.source != RowFill::Source::Constant) return {};
    return usual(value.fill.value);
  }

  std::optional<std::uint32_t> of(const DraftStep& step) {
    if (step.form == nullptr || step.uses < 2) return {};
    const std::span<const Use> uses = draft_.uses_of(step);
    if (is(step.form, Operation::copy)) return step.uses == 2 ? of(uses[1].value) : std::nullopt;
    if (!rules_.computes(step.form) || !is_of_f32(*step.form)) return {};
    if (functions_.know(step.form)) return function_of(*step.form, uses[1].value);
    std::vector<std::uint64_t> inputs;
    for (const Use& use : uses.subspan(1)) {
      const std::optional<std::uint32_t> input = of(use.value);
      if (!input) return {};
      inputs.push_back(*input);
    }
    const auto* quotient = rules_.quotient(*step.form);
    if (quotient == nullptr) return usual(compute(*step.form, inputs));
    inputs[1] = compute(*quotient->exact, {{inputs[1]}});
    return usual(compute(*quotient->by_constant, inputs));
  }

  // Of a subnormal number, too, where the instruction does not flush it.
  std::optional<std::uint32_t> function_of(const Form& form, ValueId id) {
    const Value& value = draft_.values[id];
    if (!value.is_fill || traits_of(form).has(trait::flushes)) {
      const std::optional<std::uint32_t> x = of(id);
      return x ? usual(functions_.of(&form, *x)) : std::nullopt;
    }
    if (value.fill.source != RowFill::Source::Constant) return {};
    const auto x = static_cast<std::uint32_t>(value.fill.value);
    return (x & infinity) != infinity ? usual(functions_.of(&form, x)) : std::nullopt;
  }

  static std::optional<std::uint32_t> usual(std::uint64_t pattern) {
    const auto bits = static_cast<std::uint32_t>(pattern);
    const std::uint32_t exponent = bits & infinity;
    const bool is_normal = exponent != 0 && exponent != infinity;
    return is_normal || (bits << 1) == 0 ? std::optional(bits) : std::nullopt;
  }

  static constexpr std::uint32_t infinity = 0x7f800000;
  Draft& draft_;
  const ContractionRules& rules_;
  const LiteralFunctions& functions_ = LiteralFunctions::generated();
  MicroForms micro_;
  const std::vector<std::uint32_t> blocks_;
  Versions versions_;
  std::uint32_t block_ = 0, step_ = 0;
  std::unordered_map<Version, std::uint32_t> known_;
};

}  // namespace

void fold_literals(Draft& draft, const ContractionRules& rules, const FormTable& table) {
  const LiteralFunctions& functions = LiteralFunctions::generated();
  const auto may_change = [&](const DraftStep& step) {
    return rules.computes(step.form) && (functions.know(step.form) || changes_sign(step.form));
  };
  if (std::ranges::any_of(draft.steps, may_change)) Literals(draft, rules, table).run();
}

}  // namespace wedjat::kernel
