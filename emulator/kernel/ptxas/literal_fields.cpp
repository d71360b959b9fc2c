#include "emulator/kernel/ptxas/literal_fields.h"

#include <optional>
#include <unordered_set>

#include "emulator/kernel/forms/instruction_lists.h"
#include "emulator/kernel/forms/micro_forms.h"

namespace wedjat::kernel {
namespace {

constexpr std::uint64_t width = 32, all_ones = 0xffffffff;

std::unordered_set<const Form*> listed(std::string_view name) {
  const auto forms = instructions(name);
  return {forms.begin(), forms.end()};
}

// Those bits of a literal that count.
std::optional<std::uint64_t> literal(const Draft& draft, const Use& use, std::uint64_t mask) {
  const Value& value = draft.values[use.value];
  if (!value.is_fill || value.fill.source != RowFill::Source::Constant) return {};
  return value.fill.value & mask;
}

}  // namespace

void correct_literal_fields(Draft& draft, const FormTable& table) {
  static const auto signed_fields = listed("literal_field_signed"),
                    inserted_fields = listed("literal_field_inserted"),
                    shifts = listed("literal_shift_of_halves");
  MicroForms micro(table);
  for (DraftStep& step : draft.steps) {
    const bool inserted = inserted_fields.contains(step.form), shifts_half = shifts.contains(step.form);
    if (!inserted && !shifts_half && !signed_fields.contains(step.form)) continue;
    Use* const uses = draft.uses.data() + step.first_use;
    Use &place = uses[step.uses - 2], &length = uses[step.uses - 1];
    const auto at = literal(draft, place, 0xff), bits = literal(draft, length, shifts_half ? 0xffff : 0xff);
    if (shifts_half && bits) length.value = draft.fill(RowFill::Source::Constant, 4, *bits);
    if (shifts_half || !at || !bits) continue;
    // What a field is taken from or inserted into: with a literal the whole instruction is computed, as it
    // says.
    if (literal(draft, uses[step.uses - 3], all_ones)) continue;
    if (inserted && *at < width && *at % 8 != 0) {
      length.value = draft.fill(RowFill::Source::Constant, 4, *bits % width);
    } else if (!inserted && *at >= width && *bits > 0) {
      step.form = &micro.move(4);
      step.uses = 2;
      uses[1].value = draft.fill(RowFill::Source::Constant, 4, all_ones);
    }
  }
}

}  // namespace wedjat::kernel
