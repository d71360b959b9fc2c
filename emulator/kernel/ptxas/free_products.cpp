#include "emulator/kernel/ptxas/free_products.h"

#include <algorithm>

#include "emulator/kernel/draft/draft_access.h"
#include "emulator/kernel/forms/traits.h"

namespace wedjat::kernel {
namespace {

bool costs_no_register(const Value& value) {
  return value.is_fill &&
         (value.fill.source == RowFill::Source::Constant || value.fill.source == RowFill::Source::Parameter);
}

// Moves such a value, or loads a .const variable from a fixed address.
bool makes_free(const Draft& draft, const DraftStep& step) {
  if (step.form == nullptr || step.uses < 2) return false;
  const Value& from = draft.values[draft.uses_of(step)[1].value];
  if (is(step.form, Operation::copy)) return step.uses == 2 && costs_no_register(from);
  return is(step.form, Operation::load) && step.form->operand[1].space == Space::Const && from.is_fill;
}

}  // namespace

Writers::Writers(const Draft& draft, const std::vector<std::uint32_t>& blocks)
    : count(draft.values.size()), step(draft.values.size()) {
  for (const DraftPlace& place : draft.parameters) {
    if (place.kind == Place::Kind::Row) count[place.value] = 2;  // as if: no step does it
  }
  for (std::uint32_t b : blocks) {
    const DraftBlock& block = draft.blocks[b];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      each_access(
          draft, draft.steps[i], [](ValueId) {},
          [&](ValueId v, bool whole) {
            count[v] += whole ? 1 : 2;
            step[v] = i;
          });
    }
    each_access(
        draft, block.end, [](ValueId) {}, [&](ValueId v, bool) { count[v] += 2; });
  }
}

// In the order of the steps: what reads a value before it is written, in a loop, is none.
std::vector<bool> find_literals(const Draft& draft, const ContractionRules& rules, const Writers& writers) {
  std::vector<bool> literal(draft.values.size());
  for (ValueId v = 0; v < draft.values.size(); ++v) {
    const Value& value = draft.values[v];
    literal[v] = value.is_fill && value.fill.source == RowFill::Source::Constant;
  }
  for (std::uint32_t i = 0; i < draft.steps.size(); ++i) {
    const DraftStep& step = draft.steps[i];
    if (step.form == nullptr || step.guard != no_value || step.uses < 2) continue;
    if (!is(step.form, Operation::copy, Operation::packing) && !rules.folds(step.form)) continue;
    const std::span<const Use> uses = draft.uses_of(step);
    if (!writers.once(uses[0].value) || writers.step[uses[0].value] != i) continue;
    literal[uses[0].value] =
        std::ranges::all_of(uses.subspan(1), [&](const Use& use) { return literal[use.value]; });
  }
  return literal;
}

bool is_free_product(const Draft& draft, const DraftStep& step, const std::vector<bool>& literals,
                     const Writers& writers, const LiveValues& live) {
  const std::span<const Use> uses = draft.uses_of(step);
  const auto free = [&](ValueId v) {
    return costs_no_register(draft.values[v]) ||
           (writers.once(v) && makes_free(draft, draft.steps[writers.step[v]])) || literals[v];
  };
  return step.guard == no_value && writers.once(uses[0].value) && !live.is_in(0, uses[0].value) &&
         (free(uses[1].value) || free(uses[2].value));
}

}  // namespace wedjat::kernel
