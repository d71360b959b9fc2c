#include "emulator/kernel/constant_divisors.h"

#include <algorithm>

#include "emulator/kernel/free_products.h"
#include "emulator/kernel/straight_runs.h"

namespace wedjat::kernel {
namespace {

bool is_constant(const Value& value) {
  return value.is_fill && value.fill.source == RowFill::Source::Constant;
}

}  // namespace

void divide_by_constants(Draft& draft, const ContractionRules& rules) {
  const auto divides = [&](const DraftStep& step) { return rules.by_constant(step.form) != nullptr; };
  if (std::ranges::none_of(draft.steps, divides)) return;
  const Writers writers(draft, reachable_blocks(draft));
  // The constant that the value is, perhaps moved to a register first; else the value itself.
  const auto resolved = [&](ValueId value) {
    if (!writers.once(value)) return value;
    const DraftStep& step = draft.steps[writers.step[value]];
    const bool moves = step.form != nullptr && step.form->opcode == "mov" && step.uses == 2 &&
                       step.guard == no_value && is_constant(draft.values[draft.uses_of(step)[1].value]);
    return moves ? draft.uses_of(step)[1].value : value;
  };
  for (DraftStep& step : draft.steps) {
    const Form* const by_constant = rules.by_constant(step.form);
    if (by_constant == nullptr) continue;
    Use& divisor = draft.uses[step.first_use + 2];
    const ValueId value = resolved(divisor.value);
    if (!is_constant(draft.values[value])) continue;
    divisor.value = value;
    step.form = by_constant;
  }
}

}  // namespace wedjat::kernel
