// Where native code gives the path back to the loop.
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

using exec::Passage;

void RegionEmitter::write_passage(std::uint32_t at_block, std::uint32_t step, std::uint64_t ran,
                                  llvm::Value* left) {
  llvm::Type* const number = builder_.getInt64Ty();
  llvm::Value* const steps = builder_.CreateAdd(builder_.CreateLoad(number, ran_), builder_.getInt64(ran));
  llvm::Value* const used = builder_.CreateAdd(steps, builder_.CreateLoad(number, cost_));
  builder_.CreateStore(steps, field(offsetof(Passage, steps)));
  builder_.CreateStore(builder_.CreateSub(budget_, used), field(offsetof(Passage, budget)));
  builder_.CreateStore(builder_.CreateLoad(number, instructions_), field(offsetof(Passage, instructions)));
  builder_.CreateStore(builder_.getInt32(at_block), field(offsetof(Passage, block)));
  builder_.CreateStore(builder_.getInt32(step), field(offsetof(Passage, step)));
  builder_.CreateRet(left);
}

// Tells code that begins at the place what the rows hold that live there, but for those that a step writes
// on the way.
void RegionEmitter::certify(std::uint32_t to_block, std::uint32_t step, const RowSet& live,
                            const kernel::Step* done) {
  if (!request_.full) return;
  Certificates::Shapes shapes;
  live.for_each([&](std::uint32_t r) {
    if (rows_->tracked(r) && rows_->get(r).shape.is_affine())
      shapes[liveness_.offset(r)] = rows_->get(r).shape;
  });
  if (done != nullptr)
    for (const RowUse& use : rows_of(*done))
      if (use.out) shapes.erase(use.offset);
  const std::uint32_t number =
      request_.certificates.offer({request_.function, to_block, step}, std::move(shapes));
  builder_.CreateStore(builder_.getInt32(number), field(offsetof(Passage, leaves)));
}

// Before a step of a node, whose earlier steps have run.
void RegionEmitter::leave_at_step(const Node& node, std::uint32_t step) {
  stop_in_warp();
  dirty_here_.for_each([&](std::uint32_t r) {
    if (live_[step].has(r)) rows_->spill_aside(r);
  });
  const kernel::Block& here = code_.blocks[node.block];
  if (step != here.count)
    if (const kernel::Step& next = code_.steps[here.first + step];
        next.guard == 0 && (next.flags & kernel::step_flag::barrier))
      certify(node.block, step + 1, live_[step + 1], &next);
  write_passage(node.block, step, step - node.first, how(exec::Left::at_step));
}

void RegionEmitter::leave_at_block(std::uint32_t to) {
  const RowSet& live = liveness_.at(to);
  dirty_here_.for_each([&](std::uint32_t r) {
    if (live.has(r)) rows_->spill_aside(r);
  });
  certify(to, 0, live, nullptr);
  write_passage(to, 0, 0, how(exec::Left::at_block));
}

// Leaves at the start of a node if the share could be over, by the loop's count, before anybody asks again.
void RegionEmitter::ask(std::uint32_t number) {
  const Node& node = region_.nodes[number];
  llvm::Type* const type = builder_.getInt64Ty();
  llvm::Value* const ran = builder_.CreateLoad(type, ran_);
  llvm::Value* const left =
      builder_.CreateSub(budget_, builder_.CreateAdd(ran, builder_.CreateLoad(type, cost_)));
  const auto spent = static_cast<std::int64_t>(*pace_[number]);
  Block* const stop = block("stop");
  Block* const go = block("go");
  builder_.CreateCondBr(builder_.CreateICmpSLE(left, builder_.CreateAdd(floor_, builder_.getInt64(spent))),
                        stop, go, llvm::MDBuilder(module_.getContext()).createBranchWeights(1, 1000));
  builder_.SetInsertPoint(stop);
  stop_in_warp();
  dirty_here_.for_each([&](std::uint32_t r) {
    if (live_[node.first].has(r)) rows_->spill_aside(r);
  });
  // It is over where the loop would have stopped; before that the loop goes on, a block at a time.
  llvm::Value* const over = builder_.CreateAnd(builder_.CreateICmpSLE(left, floor_),
                                               builder_.CreateICmpNE(ran, builder_.getInt64(0)));
  write_passage(node.block, node.first, 0,
                builder_.CreateSelect(over, how(exec::Left::at_block), how(exec::Left::at_step)));
  builder_.SetInsertPoint(go);
}

}  // namespace wedjat::compile
