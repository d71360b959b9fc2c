#include "emulator/compile/analysis/liveness.h"

#include "emulator/compile/analysis/successors.h"

namespace wedjat::compile {

bool RowSet::add(const RowSet& other) {
  std::uint64_t grown = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    grown |= other.words_[i] & ~words_[i];
    words_[i] |= other.words_[i];
  }
  return grown != 0;
}

void Liveness::name(const std::vector<RowUse>& uses) {
  for (const RowUse& use : uses)
    if (numbers_.try_emplace(use.offset, static_cast<std::uint32_t>(offsets_.size())).second)
      offsets_.push_back(use.offset);
}

Liveness::Liveness(const kernel::Function& function, const exec::Probes* probes)
    : function_(function), probes_(probes) {
  for (const kernel::Step& step : function.steps) {
    name(rows_of(step));
    if (step.guard != 0) name({{.offset = guard_row(step.guard)}});
  }
  for (const kernel::Block& block : function.blocks) name(compile::rows_of(block.end, function));
  at_block_.assign(function.blocks.size(), RowSet(rows()));
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t block = function.blocks.size(); block-- > 0;)
      grown |= at_block_[block].add(through(static_cast<std::uint32_t>(block)).front());
  }
}

RowSet Liveness::after(const kernel::Terminator& end) const {
  RowSet live(rows());
  for (const std::uint32_t next : successors(end)) live.add(at_block_[next]);
  return live;
}

void Liveness::before_step(RowSet& live, const kernel::Step& step) const {
  const std::vector<RowUse> uses = rows_of(step);
  // Lanes that do not run keep what they had, also those that have to wait for a predicate.
  const bool whole = step.guard == 0 && (step.flags & kernel::step_flag::waits) == 0;
  for (const RowUse& use : uses)
    if (use.out && whole) live.remove(number(use.offset));
  for (const RowUse& use : uses)
    if (use.in || !whole) live.add(number(use.offset));
  if (step.guard != 0) live.add(number(guard_row(step.guard)));
}

void Liveness::before_end(RowSet& live, const kernel::Terminator& end) const {
  const std::vector<RowUse> uses = compile::rows_of(end, function_);
  for (const RowUse& use : uses)
    if (use.out && end.guard == 0) live.remove(number(use.offset));
  for (const RowUse& use : uses)
    if (use.in || end.guard != 0) live.add(number(use.offset));
}

std::vector<RowSet> Liveness::through(std::uint32_t block) const {
  const kernel::Block& here = function_.blocks[block];
  std::vector<RowSet> live(here.count + 1, after(here.end));
  before_end(live.back(), here.end);
  for (std::uint32_t i = here.count; i-- > 0;) {
    live[i] = live[i + 1];
    before_step(live[i], function_.steps[here.first + i]);
  }
  return live;
}

}  // namespace wedjat::compile
