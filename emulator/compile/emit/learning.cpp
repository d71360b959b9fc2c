// What steps of a sweep know of the memory that they reach. It is read from memory once for all warps; where
// a launch begins, or reaches other memory than the one before, they know nothing yet, and learn it on the
// way: to leave there would have the loop interpret what is left of the warp. The warp begins again then, or
// once it has done what must not happen twice the step is tried again.
#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

void RegionEmitter::keep_nears() {
  for (const Node& node : region_.nodes)
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const kernel::Step& step = step_of(node, i);
      const StepPlan& plan = plans_[number_of(node, i)];
      if (!plan.accesses() || plan.space == kernel::Space::Shared) continue;
      const Near near = found_by(step);
      if (may_begin_anew(node, i)) {
        sweep_.known[step.id] = near;
        continue;
      }
      const auto slot = [&](llvm::Value* first) {
        llvm::AllocaInst* const made = slot_at_start(first->getType());
        builder_.CreateStore(first, made);
        return made;
      };
      sweep_.nears[step.id] = {slot(near.low), slot(near.size), slot(near.base), slot(near.noted)};
    }
}

// The memory of the lanes is not what the step knows. If the first of them finds another the warp, or the
// access, is tried again; otherwise it goes on here.
void RegionEmitter::learn(const kernel::Step& step, const StepPlan& plan, const Value& address,
                          llvm::Value* mask, Block* again) {
  const bool all = mask == all_lanes();
  llvm::Value* lane = builder_.getInt32(0);
  if (!all)
    lane = builder_.CreateIntrinsic(builder_.getInt32Ty(), llvm::Intrinsic::cttz, {mask, builder_.getTrue()});
  Value copy = address;
  llvm::Value* const first = !address.shape.is_affine()
                                 ? builder_.CreateExtractElement(values_.vector(copy), lane)
                             : all || address.shape.is_uniform() ? address.base
                                                                 : values_.of_lane(address, lane);
  const exec::Use use = plan.kind == StepPlan::Kind::load ? exec::Use::read : exec::Use::write;
  llvm::Value* const learnt =
      call_seldom(linked(Link::Kind::learn_memory),
                  {warp_, address_of(step), builder_.getInt8(static_cast<std::uint8_t>(plan.space)),
                   builder_.getInt8(static_cast<std::uint8_t>(use)), first});
  Block* const found = again == nullptr ? sweep_.again : block("found");
  Block* const slower = block("slower");
  builder_.CreateCondBr(builder_.CreateTrunc(learnt, builder_.getInt1Ty()), found, slower);
  if (again == nullptr) return builder_.SetInsertPoint(slower);
  builder_.SetInsertPoint(found);
  const Near near = found_by(step);
  const NearSlots& kept = sweep_.nears.at(step.id);
  builder_.CreateStore(near.low, kept.low);
  builder_.CreateStore(near.size, kept.size);
  builder_.CreateStore(near.base, kept.base);
  builder_.CreateStore(near.noted, kept.noted);
  builder_.CreateBr(again);
  builder_.SetInsertPoint(slower);
}

}  // namespace wedjat::compile
