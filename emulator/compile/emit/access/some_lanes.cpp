// Lanes side by side of which some do not take part: those may have any address, before or behind what the
// others reach. Memory is asked for all of them first, which takes least; only where that does not hold, for
// those from the first to the last that take part.
#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

// Whether the access may go on for the lanes of the mask alone.
bool RegionEmitter::may_leave_out(const kernel::Step& step, const StepPlan& plan,
                                  const Reached& reached) const {
  const bool plain = plan.kind == StepPlan::Kind::load || plan.kind == StepPlan::Kind::store;
  return plain && !certain(step) && reached.hosts == nullptr && reached.runs.size() == 1 &&
         !reached.runs.front().spread && reached.runs.front().count == warp_lanes && plan.data.size() == 1 &&
         plan.data.front().bytes == plan.bytes && (plan.bytes == 4 || plan.bytes == 8);
}

llvm::Value* RegionEmitter::reaches_some(const StepPlan& plan, const Near& near, const Value& address,
                                         llvm::Value* mask) {
  const auto lane = [&](llvm::Intrinsic::ID zeros) {
    return builder_.CreateZExt(
        builder_.CreateIntrinsic(builder_.getInt32Ty(), zeros, {mask, builder_.getTrue()}),
        builder_.getInt64Ty());
  };
  llvm::Value* const bytes = builder_.getInt64(plan.bytes);
  llvm::Value* const first = lane(llvm::Intrinsic::cttz);
  llvm::Value* const last = builder_.CreateXor(lane(llvm::Intrinsic::ctlz), warp_lanes - 1);
  llvm::Value* const lowest = builder_.CreateAdd(address.base, builder_.CreateMul(first, bytes));
  llvm::Value* const behind = builder_.CreateAdd(builder_.CreateMul(builder_.CreateSub(last, first), bytes),
                                                 builder_.getInt64(plan.bytes - 1));
  llvm::Value* good =
      builder_.CreateICmpULT(builder_.CreateSub(lowest, near.low),
                             builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, near.size, behind));
  good = builder_.CreateAnd(
      good, builder_.CreateICmpEQ(builder_.CreateAnd(address.base, plan.bytes - 1), builder_.getInt64(0)));
  if (near.noted != nullptr) good = builder_.CreateAnd(good, builder_.CreateNot(near.noted));
  return good;
}

std::vector<Value> RegionEmitter::read_some(const StepPlan& plan, const Reached& reached, llvm::Value* mask) {
  llvm::Type* const type = Values::wide(rows_->type(row(plan.data.front())));
  llvm::Value* const host = builder_.CreateIntToPtr(reached.runs.front().host, builder_.getPtrTy());
  return {{Shape::vector(), nullptr, nullptr,
           builder_.CreateMaskedLoad(type, host, llvm::Align(plan.bytes), rows_->lanes_of(mask))}};
}

}  // namespace wedjat::compile
