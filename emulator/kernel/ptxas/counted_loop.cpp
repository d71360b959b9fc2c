#include "emulator/kernel/ptxas/counted_loop.h"

#include "emulator/kernel/draft/draft_access.h"
#include "emulator/kernel/forms/traits.h"

namespace wedjat::kernel {
namespace {

// The step of the block that writes the value, if there is just one and it always does.
const DraftStep* only_writer(const Draft& draft, const DraftBlock& block, ValueId value) {
  const DraftStep* writer = nullptr;
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
    bool writes = false, always = true;
    each_access(
        draft, draft.steps[i], [](ValueId) {},
        [&](ValueId v, bool whole) {
          writes |= v == value;
          always &= v != value || whole;
        });
    if (!writes) continue;
    if (writer != nullptr || !always) return nullptr;
    writer = &draft.steps[i];
  }
  return writer;
}

bool is_written(const Draft& draft, const DraftBlock& block, ValueId value) {
  bool written = false;
  each_access(
      draft, block, [](ValueId) {}, [&](ValueId v, bool) { written |= v == value; });
  return written;
}

std::optional<std::int32_t> constant(const Draft& draft, ValueId id) {
  const Value& value = draft.values[id];
  if (!value.is_fill || value.fill.source != RowFill::Source::Constant) return {};
  return static_cast<std::int32_t>(value.fill.value);
}

// What the counter is when the loop begins: the constant that every other writer of it moves there.
std::optional<std::int32_t> start(const Draft& draft, const CountedLoop& loop) {
  std::optional<std::int32_t> found;
  for (std::uint32_t b = 0; b < draft.blocks.size(); ++b) {
    const DraftBlock& block = draft.blocks[b];
    if (b == loop.block || !is_written(draft, block, loop.counter)) continue;
    const DraftStep* writer = only_writer(draft, block, loop.counter);
    if (found || writer == nullptr || !is(writer->form, Operation::copy)) return {};
    found = constant(draft, draft.uses_of(*writer)[1].value);
    if (!found) return {};
  }
  return found;
}

std::optional<std::uint64_t> iterations(const Draft& draft, const CountedLoop& loop) {
  const auto from = start(draft, loop), to = constant(draft, loop.bound);
  if (!from || !to) return {};
  std::int64_t distance = std::int64_t{*to} - *from, step = loop.step;
  if (loop.is_unsigned)
    distance = std::int64_t{static_cast<std::uint32_t>(*to)} - static_cast<std::uint32_t>(*from);
  if (step < 0) distance = -distance, step = -step;
  const Relation how = traits_of(*loop.compare).relation;
  if (how == Relation::le || how == Relation::ge) ++distance;
  if (distance <= 0) return {};
  if (loop.until_equal && distance % step != 0) return {};
  return (distance + step - 1) / step;
}

}  // namespace

std::optional<CountedLoop> counted_loop(const Draft& draft, std::uint32_t b) {
  const DraftBlock& block = draft.blocks[b];
  const DraftEnd& end = block.end;
  if (end.kind != End::Branch || end.guard == no_value || end.negated || end.target != b || end.next == b)
    return {};
  const DraftStep* compare = only_writer(draft, block, end.guard);
  if (compare == nullptr || !is(compare->form, Operation::comparison) || compare->uses != 4) return {};
  CountedLoop loop{.block = b, .iterations = {}};
  const OperandSpec& compared = compare->form->operand[2];
  const Relation how = traits_of(*compare->form).relation;
  loop.is_unsigned = compared.value == ValueKind::Unsigned;
  if (compared.bits != 32 || (!loop.is_unsigned && compared.value != ValueKind::Signed)) return {};
  loop.until_equal = how == Relation::ne && !loop.is_unsigned;
  const bool up = how == Relation::lt || how == Relation::le,
             down = how == Relation::gt || how == Relation::ge;
  if (!loop.until_equal && !up && !down) return {};
  loop.compare = compare->form;
  loop.unused = draft.uses_of(*compare)[1].value;
  loop.counter = draft.uses_of(*compare)[2].value;
  loop.bound = draft.uses_of(*compare)[3].value;
  const DraftStep* count = only_writer(draft, block, loop.counter);
  if (count == nullptr || count >= compare || !is(count->form, Operation::sum) || count->uses != 3 ||
      draft.uses_of(*count)[1].value != loop.counter || is_written(draft, block, loop.bound))
    return {};
  const auto step = constant(draft, draft.uses_of(*count)[2].value);
  if (!step || *step == 0 || (up && *step < 0) || (down && *step > 0)) return {};
  loop.step = *step;
  loop.iterations = iterations(draft, loop);
  return loop;
}

}  // namespace wedjat::kernel
