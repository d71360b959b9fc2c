// Lanes whose places in memory are known numbers of bytes apart, as members of
// structures in an array are: bounds are checked with a few numbers. Where all
// lanes take part, single loads take half as long as those that gather.
#include <algorithm>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

namespace {

// What lanes are away from each other, at most: it has to fit into the offset
// of an instruction.
constexpr std::int64_t farthest = std::int64_t{1} << 24;

}  // namespace

// Nothing if that is not known, or if lanes could touch each other's places.
std::optional<RegionEmitter::Strides> RegionEmitter::strides_of(const kernel::Step& step,
                                                                const StepPlan& plan, const Value& address) {
  const Shape& shape = address.shape;
  const std::int64_t bytes = plan.bytes;
  const unsigned width = values_.width();
  if (plan.is_local() || !shape.is_affine() || !shape.sy || shape.sx % bytes != 0 || *shape.sy % bytes != 0 ||
      std::max(std::abs(shape.sx), std::abs(*shape.sy)) > farthest)
    return std::nullopt;
  // Who takes part is known in the order of lanes.
  if (!certain(step) && width != warp_lanes) return std::nullopt;
  Strides strides;
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    strides.away[lane] = shape.sx * (lane % width) + *shape.sy * (lane / width);
  auto sorted = strides.away;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) return std::nullopt;
  return strides;
}

void RegionEmitter::reach_strides(const kernel::Step& step, const StepPlan& plan, const Near& near,
                                  const Value& address, Reached& reached) {
  Strides& places = *reached.spread;
  llvm::Type* const number = builder_.getInt64Ty();
  std::int64_t least = places.away[0], most = least;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if ((request_.lanes >> lane & 1) == 0) continue;
    least = std::min(least, places.away[lane]);
    most = std::max(most, places.away[lane]);
  }
  llvm::Value* lowest =
      builder_.CreateAdd(address.base, builder_.getInt64(static_cast<std::uint64_t>(least)));
  llvm::Value* behind = builder_.getInt64(static_cast<std::uint64_t>(most - least) + plan.bytes - 1);
  if (!certain(step)) {
    // Lanes that do nothing may have any address: from the first to the last of the others.
    llvm::Value* const mask = active(step);
    const auto lane = [&](llvm::Intrinsic::ID zeros) {
      return builder_.CreateZExt(
          builder_.CreateIntrinsic(builder_.getInt32Ty(), zeros, {mask, builder_.getTrue()}), number);
    };
    llvm::Value* const first = lane(llvm::Intrinsic::cttz);
    llvm::Value* const last = builder_.CreateXor(lane(llvm::Intrinsic::ctlz), warp_lanes - 1);
    reached.harmless = builder_.CreateIntToPtr(builder_.CreateAdd(near.base, near.low), builder_.getPtrTy());
    const std::int64_t by = address.shape.sx;
    lowest = builder_.CreateAdd(
        address.base, builder_.CreateMul(by < 0 ? last : first, llvm::ConstantInt::getSigned(number, by)));
    behind =
        builder_.CreateAdd(builder_.CreateMul(builder_.CreateSub(last, first),
                                              builder_.getInt64(static_cast<std::uint64_t>(std::abs(by)))),
                           builder_.getInt64(plan.bytes - 1));
  }
  reached.good =
      builder_.CreateICmpULT(builder_.CreateSub(lowest, near.low),
                             builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, near.size, behind));
  if (plan.bytes > 1)
    reached.good = builder_.CreateAnd(
        reached.good,
        builder_.CreateICmpEQ(builder_.CreateAnd(address.base, plan.bytes - 1), builder_.getInt64(0)));
  if (near.noted != nullptr) reached.good = builder_.CreateAnd(reached.good, builder_.CreateNot(near.noted));
  places.host = builder_.CreateIntToPtr(builder_.CreateAdd(near.base, address.base), builder_.getPtrTy());
  llvm::SmallVector<llvm::Constant*, warp_lanes> away;
  for (const std::int64_t each : places.away) away.push_back(llvm::ConstantInt::getSigned(number, each));
  reached.hosts = builder_.CreateGEP(builder_.getInt8Ty(), places.host, llvm::ConstantVector::get(away));
}

// An element of each lane, so many bytes behind the first.
llvm::Value* RegionEmitter::read_strides(llvm::Type* type, const Strides& places, std::uint64_t behind) {
  llvm::Value* all = llvm::PoisonValue::get(Values::wide(type));
  const llvm::Align align(type->getPrimitiveSizeInBits() / 8);
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if ((request_.lanes >> lane & 1) == 0) continue;
    llvm::Value* const from = builder_.CreateConstGEP1_64(
        builder_.getInt8Ty(), places.host, static_cast<std::uint64_t>(places.away[lane]) + behind);
    all = builder_.CreateInsertElement(all, builder_.CreateAlignedLoad(type, from, align), lane);
  }
  return all;
}

void RegionEmitter::write_strides(llvm::Value* all, const Strides& places, std::uint64_t behind) {
  llvm::Type* const type = llvm::cast<llvm::VectorType>(all->getType())->getElementType();
  const llvm::Align align(type->getPrimitiveSizeInBits() / 8);
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if ((request_.lanes >> lane & 1) == 0) continue;
    llvm::Value* const to = builder_.CreateConstGEP1_64(
        builder_.getInt8Ty(), places.host, static_cast<std::uint64_t>(places.away[lane]) + behind);
    builder_.CreateAlignedStore(builder_.CreateExtractElement(all, lane), to, align);
  }
}

}  // namespace wedjat::compile
