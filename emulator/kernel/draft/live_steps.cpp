#include "emulator/kernel/draft/live_steps.h"

#include "emulator/kernel/draft/draft_access.h"

namespace wedjat::kernel {

bool only_computes(const DraftStep& step) {
  constexpr std::uint32_t harmless = effect::reads_memory | effect::reads_state | effect::reads_other_lanes;
  return step.form != nullptr && (step.form->effects & ~harmless) == 0;
}

std::vector<bool> live_steps(const Draft& draft, const std::vector<std::uint32_t>& blocks) {
  std::vector<bool> live(draft.steps.size()), needed(draft.values.size());
  std::vector<std::vector<std::uint32_t>> writers(draft.values.size());
  std::vector<std::uint32_t> waiting;
  const auto need = [&](ValueId value) {
    if (needed[value]) return;
    needed[value] = true;
    for (std::uint32_t step : writers[value]) waiting.push_back(step);
  };
  for (std::uint32_t b : blocks) {
    const DraftBlock& block = draft.blocks[b];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      each_access(
          draft, draft.steps[i], [](ValueId) {}, [&](ValueId v, bool) { writers[v].push_back(i); });
      if (!only_computes(draft.steps[i])) waiting.push_back(i);
    }
  }
  for (std::uint32_t b : blocks) each_access(draft, draft.blocks[b].end, need, [](ValueId, bool) {});
  while (!waiting.empty()) {
    const std::uint32_t i = waiting.back();
    waiting.pop_back();
    if (live[i]) continue;
    live[i] = true;
    each_access(draft, draft.steps[i], need, [](ValueId, bool) {});
  }
  return live;
}

}  // namespace wedjat::kernel
