#include "emulator/kernel/ptxas/unused_results.h"

#include <algorithm>
#include <string>
#include <vector>

#include "emulator/kernel/draft/draft_access.h"
#include "emulator/kernel/lowered/step.h"

namespace wedjat::kernel {
namespace {

bool has_unordered_reduction(const Form& form, const FormTable& table) {
  constexpr std::string_view atomic = "atom";
  if (form.opcode != atomic) return false;
  const auto reductions = table.with_key("red" + std::string(form.key.substr(atomic.size())));
  return !reductions.empty() &&
         std::ranges::all_of(reductions, [](const Form& r) { return (r.effects & effect::ordered) == 0; });
}

}  // namespace

void release_unused_results(Draft& draft, const FormTable& table) {
  std::vector<bool> is_read(draft.values.size());
  for (const DraftBlock& block : draft.blocks)
    each_access(
        draft, block, [&](ValueId value) { is_read[value] = true; }, [](ValueId, bool) {});
  for (DraftStep& step : draft.steps) {
    if ((step.flags & step_flag::ordered) == 0 || step.form == nullptr) continue;
    bool is_used = false;
    each_access(
        draft, step, [](ValueId) {}, [&](ValueId value, bool) { is_used = is_used || is_read[value]; });
    if (!is_used && has_unordered_reduction(*step.form, table)) step.flags &= ~step_flag::ordered;
  }
}

}  // namespace wedjat::kernel
