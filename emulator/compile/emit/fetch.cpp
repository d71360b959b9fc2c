// Texels of lines of device memory: loads, but where they lie the handle of the texture says, which is asked
// for once as long as it stays the same.
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

using exec::TexelLine;

RegionEmitter::Line& RegionEmitter::line_of(const kernel::Step& step) {
  const auto [known, is_new] = lines_.try_emplace(step.id);
  Line& line = known->second;
  if (!is_new) return line;
  // Handle 0 has a line of no texels: reads of it go to the executor.
  llvm::Type* const number = builder_.getInt64Ty();
  line = {slot_at_start(number), slot_at_start(number), slot_at_start(number), slot_at_start(number)};
  llvm::Value* const nothing = builder_.getInt64(0);
  for (llvm::AllocaInst* slot : {line.handle, line.low, line.size, line.base})
    llvm::IRBuilder<>(slot->getParent(), std::next(slot->getIterator())).CreateStore(nothing, slot);
  return line;
}

void RegionEmitter::find_line(const kernel::Step& step, const StepPlan& plan, const Line& line,
                              llvm::Value* handle) {
  if (found_line_ == nullptr)
    found_line_ = slot_at_start(llvm::ArrayType::get(builder_.getInt64Ty(), sizeof(TexelLine) / 8));
  Block* const find = block("find");
  Block* const found = block("found");
  branch_mostly(builder_.CreateICmpEQ(handle, number_in(line.handle)), found, find);
  builder_.SetInsertPoint(find);
  call_seldom(linked(Link::Kind::find_words),
              {warp_, address_of(step), handle, builder_.getInt32(plan.bytes), found_line_});
  const auto in = [&](std::size_t offset) { return load_at(builder_.getInt64Ty(), found_line_, offset); };
  constexpr std::size_t extent = offsetof(TexelLine, extent);
  llvm::Value* const low = in(extent + offsetof(memory::Extent, address));
  builder_.CreateStore(handle, line.handle);
  builder_.CreateStore(low, line.low);
  builder_.CreateStore(in(extent + offsetof(memory::Extent, size)), line.size);
  builder_.CreateStore(builder_.CreateSub(in(extent + offsetof(memory::Extent, host)), low), line.base);
  builder_.CreateBr(found);
  builder_.SetInsertPoint(found);
}

void RegionEmitter::fetch(const Node& node, std::uint32_t offset, const StepPlan& plan) {
  const kernel::Step& step = step_of(node, offset);
  const RowSet& later = live_[offset + 1];
  // Texels are taken to be as large as what somebody reads of them.
  StepPlan words = plan;
  std::size_t used = 1;
  for (std::size_t i = 1; i < plan.data.size(); ++i)
    if (later.has(row(plan.data[i]))) used = i < 2 ? 2 : 4;
  words.data.resize(used);
  words.bytes = static_cast<unsigned>(4 * used);

  // All lanes that do it name one texture, or the executor does it.
  Value& handles = rows_->get(row(plan.line));
  llvm::Value *handle = handles.base, *also = nullptr;
  if (!handles.shape.is_uniform()) {
    llvm::Value* const all = values_.vector(handles);
    llvm::Value* const mask = active(step);
    llvm::Value* const lowest =
        builder_.CreateIntrinsic(builder_.getInt32Ty(), llvm::Intrinsic::cttz, {mask, builder_.getFalse()});
    handle =
        builder_.CreateExtractElement(all, builder_.CreateAnd(lowest, builder_.getInt32(warp_lanes - 1)));
    llvm::Value* const other = builder_.CreateICmpNE(all, builder_.CreateVectorSplat(warp_lanes, handle));
    also = builder_.CreateICmpEQ(builder_.CreateAnd(rows_->bits_of(other), mask), builder_.getInt32(0));
  }
  const Line& line = line_of(step);
  find_line(step, words, line, handle);
  const Near near{number_in(line.low), number_in(line.size), number_in(line.base), nullptr};

  llvm::Type* const number = builder_.getInt64Ty();
  Value place = rows_->get(row(plan.address)), address;
  if (place.shape.is_affine()) {
    llvm::Value* holds = nullptr;
    const Value wide = values_.extend(place, number, true, holds);
    if (holds != nullptr) also = also == nullptr ? holds : builder_.CreateAnd(also, holds);
    address = values_.add(values_.multiply(wide, values_.constant(number, words.bytes)),
                          {Shape::uniform(), near.low, nullptr, nullptr}, 1);
  } else {
    llvm::Value* const wide = builder_.CreateSExt(values_.vector(place), Values::wide(number));
    llvm::Value* const behind =
        builder_.CreateMul(wide, llvm::ConstantInt::get(wide->getType(), words.bytes));
    address = {Shape::vector(), nullptr, nullptr,
               builder_.CreateAdd(behind, builder_.CreateVectorSplat(warp_lanes, near.low))};
  }
  access_at(node, offset, words, near, address, also);
  for (const RowUse& use : plan.rows)
    if (use.out && use.bytes == 0 && later.has(row(use)))
      write_result(step, use, values_.constant(builder_.getInt1Ty(), 1));
}

}  // namespace wedjat::compile
