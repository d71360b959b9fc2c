#include "emulator/kernel/ptxas/unused_results.h"

#include <vector>

#include "emulator/kernel/draft/draft_access.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/lowered/step.h"

namespace wedjat::kernel {

void release_unused_results(Draft& draft) {
  std::vector<bool> is_read(draft.values.size());
  for (const DraftBlock& block : draft.blocks)
    each_access(
        draft, block, [&](ValueId value) { is_read[value] = true; }, [](ValueId, bool) {});
  for (DraftStep& step : draft.steps) {
    if ((step.flags & step_flag::ordered) == 0 || step.form == nullptr) continue;
    bool is_used = false;
    each_access(
        draft, step, [](ValueId) {}, [&](ValueId value, bool) { is_used = is_used || is_read[value]; });
    if (!is_used && traits_of(*step.form).has(trait::reduction)) step.flags &= ~step_flag::ordered;
  }
}

}  // namespace wedjat::kernel
