#include "emulator/compile/emit/rows.h"

namespace wedjat::compile {

Rows::Rows(llvm::IRBuilder<>& builder, Values& values, const Liveness& liveness, const RowBytes& bytes,
           llvm::Value* mask, llvm::Value* lane)
    : builder_(builder),
      values_(values),
      liveness_(liveness),
      bytes_(bytes),
      mask_(mask),
      lane_(lane),
      now_(liveness.rows()),
      in_memory_(liveness.rows()) {}

llvm::IntegerType* Rows::type(std::uint32_t row) const {
  return builder_.getIntNTy(bytes_[row] == 0 ? 1 : 8 * bytes_[row]);
}

void Rows::set(std::uint32_t row, const Value& value) {
  now_[row] = value;
  in_memory_[row] = false;
}

void Rows::begin(std::vector<Value> values) {
  now_ = std::move(values);
  in_memory_.assign(now_.size(), false);
}

llvm::Value* Rows::place(std::uint32_t row) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame_, liveness_.offset(row));
}

llvm::Value* Rows::lanes_of(llvm::Value* bits) {
  return builder_.CreateBitCast(bits, Values::wide(builder_.getInt1Ty()));
}

llvm::Value* Rows::bits_of(llvm::Value* truths) {
  return builder_.CreateBitCast(truths, builder_.getInt32Ty());
}

// Of the only lane.
void Rows::write_number(std::uint32_t row, llvm::Value* number) {
  llvm::Value* const to = place(row);
  if (bytes_[row] != 0) {
    builder_.CreateStore(number, builder_.CreateGEP(type(row), to, lane_));
    return;
  }
  llvm::Value* const old = builder_.CreateAlignedLoad(builder_.getInt32Ty(), to, llvm::Align(64));
  llvm::Value* const bits = builder_.CreateSelect(number, builder_.CreateOr(old, mask_),
                                                  builder_.CreateAnd(old, builder_.CreateNot(mask_)));
  builder_.CreateAlignedStore(bits, to, llvm::Align(64));
}

void Rows::write(std::uint32_t row, Value& value) {
  if (lane_ != nullptr) return write_number(row, value.base);
  llvm::Value* const to = place(row);
  llvm::Value* const all = values_.vector(value);
  if (bytes_[row] == 0) {
    llvm::Value* bits = bits_of(all);
    if (!full()) {
      llvm::Value* const old = builder_.CreateAlignedLoad(builder_.getInt32Ty(), to, llvm::Align(64));
      bits = builder_.CreateOr(builder_.CreateAnd(bits, mask_),
                               builder_.CreateAnd(old, builder_.CreateNot(mask_)));
    }
    builder_.CreateAlignedStore(bits, to, llvm::Align(64));
  } else if (full()) {
    builder_.CreateAlignedStore(all, to, llvm::Align(64));
  } else {
    builder_.CreateMaskedStore(all, to, llvm::Align(64), lanes_of(mask_));
  }
}

void Rows::spill(std::uint32_t row) {
  if (in_memory_[row]) return;
  write(row, now_[row]);
  in_memory_[row] = true;
}

void Rows::spill_aside(std::uint32_t row) {
  if (in_memory_[row]) return;
  Value copy = now_[row];
  // A vector made here does not reach the code that goes on.
  if (!copy.shape.is_vector()) copy.vector = nullptr;
  write(row, copy);
}

llvm::Value* Rows::load(std::uint32_t row) {
  if (bytes_[row] == 0)
    return lanes_of(builder_.CreateAlignedLoad(builder_.getInt32Ty(), place(row), llvm::Align(64)));
  return builder_.CreateAlignedLoad(Values::wide(type(row)), place(row), llvm::Align(64));
}

llvm::Value* Rows::load_lane(std::uint32_t row, llvm::Value* lane) {
  if (bytes_[row] == 0) {
    llvm::Value* const bits = builder_.CreateAlignedLoad(builder_.getInt32Ty(), place(row), llvm::Align(64));
    return builder_.CreateTrunc(builder_.CreateLShr(bits, lane), builder_.getInt1Ty());
  }
  return builder_.CreateLoad(type(row), builder_.CreateGEP(type(row), place(row), lane));
}

void Rows::reload(std::uint32_t row, const Value& value) {
  now_[row] = value;
  in_memory_[row] = true;
}

}  // namespace wedjat::compile
