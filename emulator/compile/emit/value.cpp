#include "emulator/compile/emit/value.h"

namespace wedjat::compile {

Shape selected(const Shape& condition, const Shape& a, const Shape& b) {
  if (a.kind == Shape::Kind::unknown || b.kind == Shape::Kind::unknown) return Shape::vector();
  return condition.is_uniform() ? join(a, b) : Shape::vector();
}

Value Values::constant(llvm::Type* type, std::uint64_t bits) const {
  return {Shape::of(bits), llvm::ConstantInt::get(type, bits), nullptr, nullptr};
}

llvm::Value* Values::step_y(const Value& value) {
  if (!value.shape.sy) return value.sy;
  return llvm::ConstantInt::getSigned(value.base->getType(), *value.shape.sy);
}

// What lanes are away from the first.
llvm::Value* Values::steps(llvm::Type* type, std::int64_t sx, std::int64_t sy) const {
  llvm::SmallVector<llvm::Constant*, warp_lanes> all;
  for (std::uint64_t lane = 0; lane < warp_lanes; ++lane)
    all.push_back(llvm::ConstantInt::get(type, static_cast<std::uint64_t>(sx) * (lane % width_) +
                                                   static_cast<std::uint64_t>(sy) * (lane / width_)));
  return llvm::ConstantVector::get(all);
}

// The first lane of each row of lanes, as all lanes of it: numbers first, then copies, which cost less than
// products of vectors.
llvm::Value* Values::starts(const Value& value) {
  const unsigned rows = warp_lanes / width_;
  llvm::Value* few = llvm::PoisonValue::get(llvm::FixedVectorType::get(value.base->getType(), rows));
  llvm::Value* start = value.base;
  for (unsigned row = 0; row < rows; ++row) {
    few = builder_.CreateInsertElement(few, start, row);
    if (row + 1 < rows) start = builder_.CreateAdd(start, value.sy);
  }
  llvm::SmallVector<int, warp_lanes> from;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) from.push_back(static_cast<int>(lane / width_));
  return builder_.CreateShuffleVector(few, from);
}

llvm::Value* Values::vector(Value& value) {
  if (value.vector != nullptr) return value.vector;
  const Shape& shape = value.shape;
  llvm::Value* all = shape.sy ? builder_.CreateVectorSplat(warp_lanes, value.base) : starts(value);
  if (shape.sx != 0 || shape.sy.value_or(0) != 0)
    all = builder_.CreateAdd(all, steps(value.base->getType(), shape.sx, shape.sy.value_or(0)));
  return value.vector = all;
}

llvm::Value* Values::of_lane(const Value& value, llvm::Value* lane) {
  llvm::Type* const type = value.base->getType();
  const auto times = [&](llvm::Value* count, llvm::Value* step) {
    return builder_.CreateMul(builder_.CreateZExtOrTrunc(count, type), step);
  };
  llvm::Value* const width = builder_.getInt32(width_);
  llvm::Value* const across =
      times(builder_.CreateURem(lane, width), llvm::ConstantInt::getSigned(type, value.shape.sx));
  llvm::Value* const down = times(builder_.CreateUDiv(lane, width), step_y(value));
  return builder_.CreateAdd(value.base, builder_.CreateAdd(across, down));
}

Value Values::reshaped(Value value, const Shape& shape) {
  if (shape.is_vector()) return {shape, nullptr, nullptr, vector(value)};
  Value result{shape, value.base, shape.sy ? nullptr : step_y(value), value.vector};
  return result;
}

Value Values::add(const Value& a, const Value& b, int sign) {
  const unsigned bits = a.base->getType()->getIntegerBitWidth();
  const auto combine = [&](llvm::Value* x, llvm::Value* y) {
    return sign > 0 ? builder_.CreateAdd(x, y) : builder_.CreateSub(x, y);
  };
  Value result{sum(a.shape, b.shape, bits, sign), combine(a.base, b.base), nullptr, nullptr};
  if (!result.shape.sy) result.sy = combine(step_y(a), step_y(b));
  return result;
}

Value Values::multiply(const Value& a, const Value& b) {
  if (!a.shape.is_uniform()) return multiply(b, a);
  const unsigned bits = a.base->getType()->getIntegerBitWidth();
  Value result{product(a.shape, b.shape, bits), builder_.CreateMul(a.base, b.base), nullptr, nullptr};
  if (!result.shape.sy) result.sy = builder_.CreateMul(a.base, step_y(b));
  return result;
}

Value Values::truncate(const Value& a, llvm::Type* to) {
  Value result{truncated(a.shape, to->getIntegerBitWidth()), builder_.CreateTrunc(a.base, to), nullptr,
               nullptr};
  if (!result.shape.sy) result.sy = builder_.CreateTrunc(a.sy, to);
  return result;
}

Value Values::extend(const Value& a, llvm::Type* to, bool is_signed, llvm::Value*& holds) {
  const auto wider = [&](llvm::Value* x) {
    return is_signed ? builder_.CreateSExt(x, to) : builder_.CreateZExt(x, to);
  };
  Value result{a.shape, wider(a.base), nullptr, nullptr};
  holds = nullptr;
  if (a.shape.constant && is_signed) return result;
  if (a.shape.is_uniform()) {
    result.shape = Shape::uniform();
    if (a.shape.constant) {
      const unsigned bits = a.base->getType()->getIntegerBitWidth();
      result.shape.constant =
          bits >= 64 ? *a.shape.constant : *a.shape.constant & ((std::uint64_t{1} << bits) - 1);
    }
    return result;
  }
  if (!a.shape.sy) result.sy = builder_.CreateSExt(a.sy, to);
  // No lane may wrap around: the lanes at the corners of the block must not.
  llvm::Type* const from = a.base->getType();
  llvm::Value* const across =
      llvm::ConstantInt::getSigned(to, a.shape.sx * static_cast<std::int64_t>(width_ - 1));
  llvm::Value* const down = builder_.CreateMul(builder_.CreateSExt(step_y(a), to),
                                               llvm::ConstantInt::get(to, warp_lanes / width_ - 1));
  const auto check = [&](llvm::Value* corner) {
    llvm::Value* const back = builder_.CreateTrunc(corner, from);
    llvm::Value* const fits = builder_.CreateICmpEQ(wider(back), corner);
    holds = holds == nullptr ? fits : builder_.CreateAnd(holds, fits);
  };
  check(builder_.CreateAdd(result.base, across));
  if (width_ < warp_lanes) {
    check(builder_.CreateAdd(result.base, down));
    check(builder_.CreateAdd(builder_.CreateAdd(result.base, across), down));
  }
  return result;
}

void Values::tell_ends(Value& result, llvm::CmpInst::Predicate predicate, const Value& a, const Value& b) {
  if (!a.shape.is_affine() || !b.shape.is_affine()) return;
  if (a.shape.is_uniform()) return tell_ends(result, llvm::CmpInst::getSwappedPredicate(predicate), b, a);
  const bool one_line = width_ == warp_lanes || a.shape.sy == a.shape.sx * width_;
  if (!b.shape.is_uniform() || !one_line || !llvm::ICmpInst::isRelational(predicate)) return;
  llvm::Type* const type = a.base->getType();
  std::int64_t away = 0;
  if (__builtin_mul_overflow(a.shape.sx, std::int64_t{warp_lanes - 1}, &away)) return;
  const bool grows = away > 0;
  const std::uint64_t distance = grows ? static_cast<std::uint64_t>(away) : -static_cast<std::uint64_t>(away);
  if (distance == 0 || !llvm::isUIntN(type->getIntegerBitWidth() - 1, distance)) return;
  // Lanes are in order if none wraps around.
  const bool is_signed = llvm::CmpInst::isSigned(predicate);
  const llvm::Intrinsic::ID last =
      grows ? (is_signed ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::uadd_with_overflow)
            : (is_signed ? llvm::Intrinsic::ssub_with_overflow : llvm::Intrinsic::usub_with_overflow);
  llvm::Value* const both =
      builder_.CreateIntrinsic(last, {type}, {a.base, llvm::ConstantInt::get(type, distance)});
  llvm::Value* const in_order = builder_.CreateNot(builder_.CreateExtractValue(both, 1));
  llvm::Value *least = a.base, *most = builder_.CreateExtractValue(both, 0);
  if (!grows) std::swap(least, most);
  // What is hardest to hold: that the greatest is less, that the least is greater.
  const bool less = predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_ULE ||
                    predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_SLE;
  llvm::Value* const hardest = builder_.CreateICmp(predicate, less ? most : least, b.base);
  llvm::Value* const easiest = builder_.CreateICmp(predicate, less ? least : most, b.base);
  result.all = builder_.CreateAnd(in_order, hardest);
  result.none = builder_.CreateAnd(in_order, builder_.CreateNot(easiest));
}

Value Values::select(Value& condition, Value a, Value b, const Shape& shape) {
  if (shape.is_vector()) {
    llvm::Value* const which = condition.shape.is_uniform() ? condition.base : vector(condition);
    return {shape, nullptr, nullptr, builder_.CreateSelect(which, vector(a), vector(b))};
  }
  Value result{shape, builder_.CreateSelect(condition.base, a.base, b.base), nullptr, nullptr};
  if (!shape.sy) result.sy = builder_.CreateSelect(condition.base, step_y(a), step_y(b));
  return result;
}

}  // namespace wedjat::compile
