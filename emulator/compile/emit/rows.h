// The rows of a frame while native code runs: values in registers, and in memory what others must see.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include <vector>

#include "emulator/compile/analysis/request.h"
#include "emulator/compile/emit/shapes.h"
#include "emulator/compile/emit/value.h"

namespace wedjat::compile {

class Rows {
 public:
  /// `mask`: i32, a constant if all lanes run. `lane`: i32, the only one that runs, if that is known; then
  /// all rows hold numbers.
  Rows(llvm::IRBuilder<>& builder, Values& values, const Liveness& liveness, const RowBytes& bytes,
       llvm::Value* mask, llvm::Value* lane);

  bool tracked(std::uint32_t row) const { return bytes_[row] != untracked; }
  llvm::IntegerType* type(std::uint32_t row) const;

  Value& get(std::uint32_t row) { return now_[row]; }
  void set(std::uint32_t row, const Value& value);
  /// From here on memory holds nothing of what was written, and the values are these.
  void begin(std::vector<Value> values);
  /// What is known at a place that several ways lead from.
  struct State {
    std::vector<Value> now;
    std::vector<bool> in_memory;
  };
  State state() const { return {now_, in_memory_}; }
  void restore(State state) {
    now_ = std::move(state.now);
    in_memory_ = std::move(state.in_memory);
  }

  /// Writes a row to memory, if it holds something else: the lanes of the mask.
  void spill(std::uint32_t row);
  /// The same at a place that is left at once: what was spilled there is not known elsewhere.
  void spill_aside(std::uint32_t row);
  /// All lanes as memory has them.
  llvm::Value* load(std::uint32_t row);
  /// Of one lane (i32), sign bits and all as they lie.
  llvm::Value* load_lane(std::uint32_t row, llvm::Value* lane);
  /// The row is what memory has now.
  void reload(std::uint32_t row, const Value& value);

  /// Pointer to the frame's rows.
  void set_frame(llvm::Value* frame) { frame_ = frame; }
  llvm::Value* mask() const { return mask_; }
  llvm::Value* lane() const { return lane_; }
  bool full() const { return llvm::isa<llvm::Constant>(mask_); }
  /// i32 with a bit for each lane, as a vector of truth values.
  llvm::Value* lanes_of(llvm::Value* bits);
  llvm::Value* bits_of(llvm::Value* truths);

 private:
  llvm::Value* place(std::uint32_t row);
  void write(std::uint32_t row, Value& value);
  void write_number(std::uint32_t row, llvm::Value* number);

  llvm::IRBuilder<>& builder_;
  Values& values_;
  const Liveness& liveness_;
  const RowBytes& bytes_;
  llvm::Value* frame_ = nullptr;
  llvm::Value *const mask_, *const lane_;
  std::vector<Value> now_;
  std::vector<bool> in_memory_;
};

}  // namespace wedjat::compile
