#include "emulator/kernel/draft/straight_runs.h"

#include <algorithm>

namespace wedjat::kernel {

std::vector<std::uint32_t> reachable_blocks(const Draft& draft) {
  std::vector<bool> seen(draft.blocks.size());
  std::vector<std::uint32_t> blocks = {0};
  seen[0] = true;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    each_successor(draft.blocks[blocks[i]].end, [&](std::uint32_t next) {
      if (!seen[next]) blocks.push_back(next);
      seen[next] = true;
    });
  }
  std::ranges::sort(blocks);
  return blocks;
}

std::vector<std::vector<std::uint32_t>> straight_runs(const Draft& draft,
                                                      const std::vector<std::uint32_t>& blocks) {
  std::vector<std::uint32_t> entries(draft.blocks.size());
  entries[0] = 1;
  for (std::uint32_t b : blocks)
    each_successor(draft.blocks[b].end, [&](std::uint32_t next) { ++entries[next]; });
  std::vector<bool> continues(draft.blocks.size());
  const auto falls = [&](std::uint32_t b) {
    const DraftEnd& end = draft.blocks[b].end;
    return end.kind == End::Fall && entries[end.target] == 1;
  };
  for (std::uint32_t b : blocks) {
    if (falls(b)) continues[draft.blocks[b].end.target] = true;
  }
  std::vector<std::vector<std::uint32_t>> runs;
  for (std::uint32_t b : blocks) {
    if (continues[b]) continue;
    auto& run = runs.emplace_back();
    run.push_back(b);
    while (falls(run.back())) run.push_back(draft.blocks[run.back()].end.target);
  }
  return runs;
}

}  // namespace wedjat::kernel
