#include "emulator/kernel/free_products.h"

#include "emulator/kernel/draft_access.h"

namespace wedjat::kernel {
namespace {

bool is_direct_const_load(const Draft& draft, const DraftStep& step) {
  return step.form != nullptr && step.form->opcode == "ld" && step.form->operands == 2 &&
         step.form->operand[1].space == Space::Const && draft.values[draft.uses_of(step)[1].value].is_fill;
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

bool is_free_product(const Draft& draft, const DraftStep& step, const Writers& writers,
                     const LiveValues& live) {
  const std::span<const Use> uses = draft.uses_of(step);
  const auto free = [&](ValueId v) {
    const Value& value = draft.values[v];
    if (value.is_fill)
      return value.fill.source == RowFill::Source::Constant ||
             value.fill.source == RowFill::Source::Parameter;
    return writers.once(v) && is_direct_const_load(draft, draft.steps[writers.step[v]]);
  };
  return step.guard == no_value && writers.once(uses[0].value) && !live.is_in(0, uses[0].value) &&
         (free(uses[1].value) || free(uses[2].value));
}

}  // namespace wedjat::kernel
