// Values of a warp in LLVM: numbers that stand for all lanes, or vectors of 32.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include "emulator/compile/analysis/shape.h"

namespace wedjat::compile {

inline constexpr unsigned warp_lanes = 32;

/// What a row holds. Elements are integers of the row's width, a predicate's i1; on the way through a lane
/// function they may be floats.
struct Value {
  Shape shape;
  llvm::Value* base = nullptr;  ///< affine: of lane 0
  llvm::Value* sy = nullptr;  ///< affine, where the shape does not say it: an integer of the element's width
  llvm::Value* vector = nullptr;  ///< of a vector; of an affine one once it was asked for
  /// Of a predicate, where a few numbers tell it sooner than the vector: it holds for all lanes, or for none.
  /// Neither: that has to be seen from the vector.
  llvm::Value *all = nullptr, *none = nullptr;
};

/// Makes values of values.
class Values {
 public:
  Values(llvm::IRBuilder<>& builder, unsigned width) : builder_(builder), width_(width) {}

  unsigned width() const { return width_; }
  Value constant(llvm::Type* type, std::uint64_t bits) const;
  llvm::Value* step_y(const Value& value);
  /// All lanes. `type` of an element.
  llvm::Value* vector(Value& value);
  /// Of an affine one: what that lane (i32) has.
  llvm::Value* of_lane(const Value& value, llvm::Value* lane);
  /// As a value of this shape, which holds for it too.
  Value reshaped(Value value, const Shape& shape);
  Value add(const Value& a, const Value& b, int sign);
  Value multiply(const Value& a, const Value& b);
  Value truncate(const Value& a, llvm::Type* to);
  /// Sign or zero extension of an affine value, with what must hold for it to be affine too (null: nothing).
  Value extend(const Value& a, llvm::Type* to, bool is_signed, llvm::Value*& holds);
  /// Tells of a comparison of the two, which is `result`, by the first and last lane whether it holds for
  /// all, if one of them only grows or only falls from lane to lane and the other is the same for all.
  void tell_ends(Value& result, llvm::CmpInst::Predicate predicate, const Value& a, const Value& b);
  /// `a` where the condition holds, else `b`; of the shape `shape`.
  Value select(Value& condition, Value a, Value b, const Shape& shape);

  static llvm::FixedVectorType* wide(llvm::Type* element) {
    return llvm::FixedVectorType::get(element, warp_lanes);
  }

 private:
  llvm::Value* steps(llvm::Type* type, std::int64_t sx, std::int64_t sy) const;
  llvm::Value* starts(const Value& value);

  llvm::IRBuilder<>& builder_;
  unsigned width_;
};

/// Of a choice between two values.
Shape selected(const Shape& condition, const Shape& a, const Shape& b);

}  // namespace wedjat::compile
