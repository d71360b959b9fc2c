#include "emulator/compile/analysis/origins.h"

#include <deque>

#include "emulator/compile/analysis/successors.h"

namespace wedjat::compile {

namespace {

// Rows times blocks: 16 MiB.
constexpr std::size_t most = std::size_t{1} << 22;

}  // namespace

Origins::Origins(const kernel::Function& function, const Liveness& liveness)
    : function_(function), liveness_(liveness), written_(liveness.rows()) {
  const auto see = [&](const std::vector<RowUse>& uses) {
    for (const RowUse& use : uses)
      if (use.out) written_[liveness.number(use.offset)] = true;
  };
  for (const kernel::Step& step : function.steps) see(liveness.rows_of(step));
  for (const kernel::Block& block : function.blocks) see(rows_of(block.end, function));
  // A function's parameters are written by who calls it: that is its beginning.
  if (liveness.rows() * function.blocks.size() > most) return;
  at_block_.assign(function.blocks.size(), std::vector<std::uint32_t>(liveness.rows(), unreached));
  at_block_[0].assign(liveness.rows(), beginning);
  std::deque<std::uint32_t> open{0};
  while (!open.empty()) {
    const std::uint32_t number = open.front();
    open.pop_front();
    const kernel::Block& block = function.blocks[number];
    std::vector<std::uint32_t> from = before(number, block.count);
    for (const RowUse& use : rows_of(block.end, function))
      if (use.out) from[liveness.number(use.offset)] = several;
    for (const std::uint32_t next : successors(block.end)) {
      bool changed = false;
      for (std::size_t row = 0; row < from.size(); ++row) {
        std::uint32_t& known = at_block_[next][row];
        if (known == from[row] || known == several) continue;
        known = known == unreached ? from[row] : several;
        changed = true;
      }
      if (changed) open.push_back(next);
    }
  }
}

void Origins::pass_step(std::uint32_t number, std::vector<std::uint32_t>& from) const {
  const kernel::Step& step = function_.steps[number];
  // Lanes that do not do the step keep what they had.
  const bool whole = step.guard == 0 && (step.flags & kernel::step_flag::waits) == 0;
  for (const RowUse& use : liveness_.rows_of(step))
    if (use.out) from[liveness_.number(use.offset)] = whole ? number : several;
}

std::vector<std::uint32_t> Origins::before(std::uint32_t block, std::uint32_t step) const {
  std::vector<std::uint32_t> from;
  if (at_block_.empty()) {
    for (const bool written : written_) from.push_back(written ? several : beginning);
    return from;
  }
  from = at_block_[block];
  const std::uint32_t first = function_.blocks[block].first;
  for (std::uint32_t i = first; i < first + step; ++i) pass_step(i, from);
  return from;
}

}  // namespace wedjat::compile
