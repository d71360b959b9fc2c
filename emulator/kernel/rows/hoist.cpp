#include "emulator/kernel/rows/hoist.h"

#include <algorithm>
#include <map>

namespace wedjat::kernel {
namespace {

constexpr std::uint32_t nowhere = ~std::uint32_t{0};

class Hoist {
 public:
  Hoist(Draft& draft, const std::vector<std::uint32_t>& depth)
      : draft_(draft),
        depth_(depth),
        written_in_(draft.values.size(), nowhere),
        same_(draft.values.size(), no_value),
        more_(draft.blocks.size()) {}

  void run() {
    find_writers();
    bool moved = false;
    for (std::uint32_t b = 0; b < draft_.blocks.size(); ++b) moved |= scan(b);
    if (moved) rebuild();
  }

 private:
  // The block of the only write of each value; nowhere if there is none, or several, or not by a step.
  void find_writers() {
    std::vector<bool> seen(draft_.values.size());
    const auto write = [&](ValueId v, std::uint32_t block) {
      written_in_[v] = seen[v] ? nowhere : block;
      seen[v] = true;
    };
    for (const DraftPlace& place : draft_.parameters) {
      if (place.kind == Place::Kind::Row) write(place.value, nowhere);
    }
    for (std::uint32_t b = 0; b < draft_.blocks.size(); ++b) {
      const DraftBlock& block = draft_.blocks[b];
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        const DraftStep& step = draft_.steps[i];
        for (const Use& use : draft_.uses_of(step)) {
          if (use.role == Role::Out || use.role == Role::InOut)
            write(use.value, step.guard == no_value ? b : nowhere);
        }
      }
      for (const DraftPlace& place : block.end.results) {
        if (place.kind == Place::Kind::Row) write(place.value, nowhere);
      }
    }
  }

  // Drops the block's steps that move; uses of values that another step already makes are redirected.
  bool scan(std::uint32_t b) {
    const DraftBlock& block = draft_.blocks[b];
    bool moved = false;
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      DraftStep& step = draft_.steps[i];
      for (std::uint32_t u = step.first_use; u < step.first_use + step.uses; ++u) {
        if (draft_.uses[u].role == Role::In) redirect(draft_.uses[u].value);
      }
      const std::uint32_t to = target(step);
      if (to == nowhere || depth_[to] >= depth_[b]) continue;
      const std::span<const Use> uses = draft_.uses_of(step);
      std::vector<std::uint64_t> key = {reinterpret_cast<std::uintptr_t>(step.form)};
      for (const Use& use : uses.subspan(1)) key.push_back(use.value);
      const auto [known, added] = made_.try_emplace(std::move(key), uses[0].value);
      if (added) {
        written_in_[uses[0].value] = to;
        more_[to].push_back(step);
      } else {
        same_[uses[0].value] = known->second;
      }
      step.uses = nothing;
      moved = true;
    }
    DraftEnd& end = draft_.blocks[b].end;
    redirect(end.row);
    for (DraftPlace& place : end.arguments) redirect(place.value);
    return moved;
  }

  void redirect(ValueId& value) const {
    if (value != no_value && same_[value] != no_value) value = same_[value];
  }

  // Where the step's only input that is no fill is written.
  std::uint32_t target(const DraftStep& step) const {
    if (!step.is_own) return nowhere;
    const std::span<const Use> uses = draft_.uses_of(step);
    std::uint32_t block = nowhere;
    for (const Use& use : uses.subspan(1)) {
      if (draft_.values[use.value].is_fill) continue;
      if (block != nowhere || written_in_[use.value] == nowhere) return nowhere;
      block = written_in_[use.value];
    }
    return block;
  }

  void rebuild() {
    std::vector<DraftStep> steps;
    steps.reserve(draft_.steps.size());
    for (std::uint32_t b = 0; b < draft_.blocks.size(); ++b) {
      DraftBlock& block = draft_.blocks[b];
      const auto first = static_cast<std::uint32_t>(steps.size());
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        if (draft_.steps[i].uses != nothing) steps.push_back(draft_.steps[i]);
      }
      steps.insert(steps.end(), more_[b].begin(), more_[b].end());
      block.first = first;
      block.count = static_cast<std::uint32_t>(steps.size()) - first;
    }
    draft_.steps = std::move(steps);
  }

  static constexpr std::uint32_t nothing = ~std::uint32_t{0};  // DraftStep::uses of a step that moved away

  Draft& draft_;
  const std::vector<std::uint32_t>& depth_;
  std::vector<std::uint32_t> written_in_;
  std::vector<ValueId> same_;                 // by value: the moved step's result that equals it
  std::vector<std::vector<DraftStep>> more_;  // by block: what moves to its end
  std::map<std::vector<std::uint64_t>, ValueId> made_;
};

}  // namespace

void hoist(Draft& draft, const std::vector<std::uint32_t>& depth) { Hoist(draft, depth).run(); }

}  // namespace wedjat::kernel
