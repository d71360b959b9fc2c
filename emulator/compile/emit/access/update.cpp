// Updates of words that no other host thread may touch at the same time: lane after lane, as executors do it.
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"
#include "emulator/compile/emit/widen.h"

namespace wedjat::compile {

// Nobody else updates what the step reaches, nor wants to know of it.
llvm::Value* RegionEmitter::is_alone(const kernel::Step& step, const StepPlan& plan, const Near& near) {
  if (plan.space == kernel::Space::Shared) return builder_.getTrue();
  llvm::Type* const truth = builder_.getInt8Ty();
  llvm::Value* const port = load_at(builder_.getPtrTy(), warp_, offsetof(exec::WarpContext, memory));
  llvm::Value* const shared = load_at(truth, port, offsetof(exec::MemoryPort, concurrent));
  llvm::Value* const own = recent_of(step, truth, offsetof(exec::Recent, own));
  llvm::Value* const alone = builder_.CreateOr(builder_.CreateICmpEQ(shared, builder_.getInt8(0)),
                                               builder_.CreateICmpNE(own, builder_.getInt8(0)));
  return builder_.CreateAnd(alone, builder_.CreateNot(near.noted));
}

// What the lane function makes of the word that was there before, and of the numbers of a lane.
std::map<unsigned, Value> RegionEmitter::updated(const StepPlan& plan, llvm::Value* before,
                                                 const std::function<llvm::Value*(const RowUse&)>& number) {
  const auto uniform = [](llvm::Value* base) { return Value{Shape::uniform(), base, nullptr, nullptr}; };
  RowElements elements;
  for (const RowUse& use : plan.rows)
    if (use.in) elements[use.index] = {uniform(number(use)), 8u * use.bytes};
  elements[plan.word()] = {uniform(before), 8 * plan.bytes};
  for (const RowUse& use : plan.data) elements.try_emplace(use.index, RowElement{{}, 8u * use.bytes});
  const Widening how{values_, builder_, target_.avx512, [](llvm::Value*) {}};
  return widen(*plan.lane, std::move(elements), &how);
}

// The only lane of the path updates the word at `host`. Gives what the step brings.
std::vector<Value> RegionEmitter::change_one(const StepPlan& plan, llvm::Value* host) {
  const llvm::Align align(plan.bytes);
  llvm::Value* const place = builder_.CreateIntToPtr(host, builder_.getPtrTy());
  llvm::Value* const before = builder_.CreateAlignedLoad(builder_.getIntNTy(8 * plan.bytes), place, align);
  std::map<unsigned, Value> results =
      updated(plan, before, [&](const RowUse& use) { return rows_->get(row(use)).base; });
  builder_.CreateAlignedStore(results.at(plan.word()).base, place, align);
  std::vector<Value> values;
  for (const RowUse& use : plan.data) values.push_back(results.at(use.index));
  return values;
}

// The lanes of the mask, of which there is one, update their words: all one word at `host`, or those at
// `hosts`. Gives what the step brings.
std::vector<Value> RegionEmitter::change(const StepPlan& plan, llvm::Value* host, llvm::Value* hosts,
                                         llvm::Value* mask) {
  llvm::Type* const type = builder_.getIntNTy(8 * plan.bytes);
  const llvm::Align align(plan.bytes);
  // What differs from lane to lane is fetched from memory in the loop.
  const auto kept = [&](llvm::Value* all) {
    llvm::AllocaInst* const slot = slot_at_start(all->getType());
    builder_.CreateStore(all, slot);
    return slot;
  };
  const auto of_lane = [&](llvm::AllocaInst* slot, llvm::Value* lane) {
    llvm::Type* const element = llvm::cast<llvm::VectorType>(slot->getAllocatedType())->getElementType();
    return builder_.CreateInBoundsGEP(element, slot, lane);
  };
  llvm::AllocaInst* const places =
      hosts == nullptr ? nullptr : kept(builder_.CreatePtrToInt(hosts, Values::wide(builder_.getInt64Ty())));
  std::map<unsigned, llvm::AllocaInst*> given;
  for (const RowUse& use : plan.rows)
    if (use.in) {
      Value copy = rows_->get(row(use));
      given[use.index] = copy.shape.is_uniform() ? nullptr : kept(values_.vector(copy));
    }
  std::vector<llvm::AllocaInst*> brought;
  for (const RowUse& use : plan.data) brought.push_back(slot_at_start(Values::wide(rows_->type(row(use)))));

  const auto pointer_to = [&](llvm::Value* at) { return builder_.CreateIntToPtr(at, builder_.getPtrTy()); };
  llvm::Value* const one =
      hosts == nullptr ? builder_.CreateAlignedLoad(type, pointer_to(host), align) : nullptr;
  Block* const begin = builder_.GetInsertBlock();
  Block* const loop = block("lane");
  Block* const after = block("updated");
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* const rest = builder_.CreatePHI(mask->getType(), 2);
  rest->addIncoming(mask, begin);
  llvm::PHINode* const before_this = one == nullptr ? nullptr : builder_.CreatePHI(type, 2);
  if (one != nullptr) before_this->addIncoming(one, begin);
  llvm::Value* const lane = builder_.CreateZExt(
      builder_.CreateIntrinsic(builder_.getInt32Ty(), llvm::Intrinsic::cttz, {rest, builder_.getTrue()}),
      builder_.getInt64Ty());
  llvm::Value* const place =
      one != nullptr ? nullptr
                     : pointer_to(builder_.CreateLoad(builder_.getInt64Ty(), of_lane(places, lane)));
  llvm::Value* const before = one != nullptr ? static_cast<llvm::Value*>(before_this)
                                             : builder_.CreateAlignedLoad(type, place, align);
  std::map<unsigned, Value> results = updated(plan, before, [&](const RowUse& use) -> llvm::Value* {
    llvm::AllocaInst* const slot = given.at(use.index);
    return slot == nullptr ? rows_->get(row(use)).base
                           : builder_.CreateLoad(rows_->type(row(use)), of_lane(slot, lane));
  });
  llvm::Value* const now = results.at(plan.word()).base;
  if (one == nullptr) builder_.CreateAlignedStore(now, place, align);
  for (std::size_t i = 0; i < brought.size(); ++i)
    builder_.CreateStore(results.at(plan.data[i].index).base, of_lane(brought[i], lane));
  llvm::Value* const others = builder_.CreateAnd(rest, builder_.CreateSub(rest, builder_.getInt32(1)));
  Block* const end = builder_.GetInsertBlock();
  rest->addIncoming(others, end);
  if (one != nullptr) before_this->addIncoming(now, end);
  builder_.CreateCondBr(builder_.CreateICmpNE(others, builder_.getInt32(0)), loop, after);
  builder_.SetInsertPoint(after);
  if (one != nullptr) builder_.CreateAlignedStore(now, pointer_to(host), align);
  std::vector<Value> values;
  values.reserve(brought.size());
  for (llvm::AllocaInst* slot : brought)
    values.push_back(
        {Shape::vector(), nullptr, nullptr, builder_.CreateLoad(slot->getAllocatedType(), slot)});
  return values;
}

}  // namespace wedjat::compile
