// A block that some lanes take while the others go to where it leads.
#include <algorithm>
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

using exec::Passage;

// Which way out of a node leads through such a block, to where the other way leads at once. Lanes on it go
// first, and the others wait: nothing else happens where the loop would have split the path.
std::optional<std::size_t> RegionEmitter::detour_at(const Node& node) const {
  if (!request_.full) return std::nullopt;
  for (const std::size_t way : {0u, 1u}) {
    const std::uint32_t through = node.next[way], meet = node.next[1 - way];
    const Node& aside = region_.nodes[through];
    const std::uint32_t to = region_.nodes[meet].block;
    if (aside.outside || pace_[through] || aside.block <= node.block || to <= aside.block) continue;
    const kernel::Block& block = code_.blocks[aside.block];
    const bool leads_there = block.end.guard == 0 && block.end.target == to &&
                             (block.end.kind == kernel::End::Fall || block.end.kind == kernel::End::Branch);
    if (aside.ends(code_) && !leads_there) continue;
    // What it brings differs from lane to lane: those that go on together must expect that.
    const auto fits = [&](std::uint32_t step) {
      if (code_.steps[step].flags & kernel::step_flag::rendezvous) return false;
      return std::ranges::all_of(plans_[step].rows, [&](const RowUse& use) {
        return !use.out || !rows_->tracked(row(use)) || !liveness_.at(to).has(row(use)) ||
               before_[meet][row(use)].is_vector();
      });
    };
    bool all_fit = true;
    for (std::uint32_t i = aside.first; i < aside.last; ++i) all_fit = all_fit && fits(block.first + i);
    if (all_fit) return way;
  }
  return std::nullopt;
}

void RegionEmitter::take_detour(const Node& node, std::size_t way, llvm::Value* lanes) {
  const Node& aside = region_.nodes[node.next[way]];
  const Rows::State rows = rows_->state();
  const RowSet dirty = dirty_here_;
  const std::vector<RowSet> live = live_;
  // Lanes that have run long while others could make way for them: the loop sees to that.
  const std::uint64_t longest = longest_streak - cost_of(code_, aside);
  Block* const long_streak = block("long_streak");
  Block* const go = block("aside");
  builder_.CreateCondBr(
      builder_.CreateICmpULT(streak_, builder_.getInt32(static_cast<std::uint32_t>(longest))), go,
      long_streak);
  builder_.SetInsertPoint(long_streak);
  leave_at_step(node, node.last);
  builder_.SetInsertPoint(go);
  count_end(node);
  detour_ = {.lanes = lanes,
             .budget = builder_.CreateSub(budget_, builder_.CreateAdd(number_in(ran_), number_in(cost_))),
             .meet = region_.nodes[node.next[1 - way]].block};
  live_ = liveness_.through(aside.block);
  for (std::uint32_t i = aside.first; i < aside.last; ++i) emit_step(aside, i);
  if (aside.ends(code_)) {
    count_end(aside);
    leave_node(node, 1 - way);
  } else {
    leave_at_step(aside, aside.last);
  }
  detour_.reset();
  rows_->restore(rows);
  dirty_here_ = dirty;
  live_ = live;
}

// Leaves with the lanes on a detour: the others are where it leads.
void RegionEmitter::leave_apart(const exec::Stand& at, std::uint64_t ran) {
  builder_.CreateStore(detour_->lanes, field(offsetof(Passage, lanes)));
  builder_.CreateStore(builder_.getInt32(detour_->meet), field(offsetof(Passage, ahead)));
  builder_.CreateStore(detour_->budget, field(offsetof(Passage, parted)));
  leave(at, ran, how(exec::Left::apart));
}

}  // namespace wedjat::compile
