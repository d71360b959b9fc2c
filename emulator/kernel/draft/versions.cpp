#include "emulator/kernel/draft/versions.h"

#include <algorithm>

#include "emulator/kernel/draft/draft_access.h"

namespace wedjat::kernel {
namespace {

// So many versions are kept at most; what was dropped is found again.
constexpr std::size_t most_entries = std::size_t{1} << 24;

}  // namespace

Versions::Versions(const Draft& draft, const std::vector<std::uint32_t>& blocks)
    : draft_(draft), blocks_(blocks), predecessors_(draft.blocks.size()) {
  for (std::uint32_t b : blocks_) {
    const DraftBlock& block = draft.blocks[b];
    each_successor(block.end, [&](std::uint32_t next) { predecessors_[next].push_back(b); });
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      const DraftStep& step = draft.steps[i];
      for (std::uint32_t u = 0; u < step.uses; ++u) {
        const Use& use = draft.uses[step.first_use + u];
        if (use.role == Role::Out || use.role == Role::InOut)
          writes_[use.value].push_back({b, written(i, u)});
      }
    }
    const std::uint32_t last = block.first + (block.count > 0 ? block.count - 1 : 0);
    each_access(
        draft, block.end, [](ValueId) {},
        [&](ValueId value, bool) {
          writes_[value].push_back({b, Version{last} << 32 | end_write});
        });
  }
  for (const DraftPlace& place : draft.parameters) {
    if (place.kind != Place::Kind::Row) continue;
    std::vector<Write>& writes = writes_[place.value];  // as if by the first block
    writes.insert(writes.begin(), {blocks_.front(), 0});
  }
}

Version Versions::read(ValueId value, std::uint32_t block, std::uint32_t step) {
  const auto found = writes_.find(value);
  if (found == writes_.end()) return 0;
  if (found->second.size() == 1) return found->second.front().version;
  const Version here = last_in(found->second, block, Version{step} << 32 | first_write);
  return here != unknown ? here : at_entries(value)[block];
}

// The last write in the block that stands before `before`.
Version Versions::last_in(const std::vector<Write>& writes, std::uint32_t block, Version before) const {
  auto last = std::ranges::lower_bound(writes, Write{block, before});
  return last != writes.begin() && (--last)->block == block ? last->version : unknown;
}

const std::vector<Version>& Versions::at_entries(ValueId value) {
  if (const auto found = entries_.find(value); found != entries_.end()) return found->second;
  if (entries_.size() * draft_.blocks.size() > most_entries) entries_.clear();
  const std::vector<Write>& writes = writes_.at(value);
  std::vector<Version>& entry = entries_[value];
  entry.assign(draft_.blocks.size(), unknown);
  entry[blocks_.front()] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t b : blocks_) {
      const Version met = Version{draft_.blocks[b].first} << 32 | (b + 1);
      Version merged = b == blocks_.front() ? 0 : unknown;
      for (std::uint32_t from : predecessors_[b]) {
        const Version own = last_in(writes, from, unknown), left = own != unknown ? own : entry[from];
        if (left != unknown) merged = merged == unknown || merged == left ? left : met;
      }
      if (entry[b] == met || merged == entry[b]) continue;
      entry[b] = merged;
      changed = true;
    }
  }
  return entry;
}

}  // namespace wedjat::kernel
