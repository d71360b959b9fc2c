// Where native code gives the path back to the loop.
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

using exec::Passage;

void RegionEmitter::write_passage(std::uint32_t at_block, std::uint32_t step, std::uint64_t ran,
                                  exec::Left left) {
  llvm::Type* const number = builder_.getInt64Ty();
  llvm::Value* const steps = builder_.CreateAdd(builder_.CreateLoad(number, ran_), builder_.getInt64(ran));
  llvm::Value* const used = builder_.CreateAdd(steps, builder_.CreateLoad(number, cost_));
  builder_.CreateStore(steps, field(offsetof(Passage, steps)));
  builder_.CreateStore(builder_.CreateSub(budget_, used), field(offsetof(Passage, budget)));
  builder_.CreateStore(builder_.CreateLoad(number, instructions_), field(offsetof(Passage, instructions)));
  builder_.CreateStore(builder_.getInt32(at_block), field(offsetof(Passage, block)));
  builder_.CreateStore(builder_.getInt32(step), field(offsetof(Passage, step)));
  builder_.CreateRet(builder_.getInt8(static_cast<std::uint8_t>(left)));
}

// Before a step of a node, whose earlier steps have run.
void RegionEmitter::leave_at_step(const Node& node, std::uint32_t step) {
  dirty_here_.for_each([&](std::uint32_t r) {
    if (live_[step].has(r)) rows_->spill_aside(r);
  });
  write_passage(node.block, step, step - node.first, exec::Left::at_step);
}

void RegionEmitter::leave_at_block(std::uint32_t to) {
  const RowSet& live = liveness_.at(to);
  dirty_here_.for_each([&](std::uint32_t r) {
    if (live.has(r)) rows_->spill_aside(r);
  });
  write_passage(to, 0, 0, exec::Left::at_block);
}

}  // namespace wedjat::compile
