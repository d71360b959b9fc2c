// What handles of textures name is asked for once as long as a step finds the
// same handle.
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

// The step without channels that nobody reads: of one, two or four words.
StepPlan RegionEmitter::words_of(std::uint32_t offset, const StepPlan& plan) {
  const RowSet& later = live_[offset + 1];
  StepPlan words = plan;
  std::size_t used = 1;
  for (std::size_t i = 1; i < plan.data.size(); ++i)
    if (later.has(row(plan.data[i]))) used = i < 2 ? 2 : 4;
  words.data.resize(used);
  words.bytes = static_cast<unsigned>(4 * used);
  return words;
}

// All lanes that do it name one texture, or the executor does it.
RegionEmitter::Handle RegionEmitter::handle_of(const kernel::Step& step, const StepPlan& plan) {
  Value& handles = rows_->get(row(plan.line));
  if (handles.shape.is_uniform()) return {handles.base, nullptr};
  llvm::Value* const all = values_.vector(handles);
  llvm::Value* const mask = active(step);
  llvm::Value* const lowest =
      builder_.CreateIntrinsic(builder_.getInt32Ty(), llvm::Intrinsic::cttz, {mask, builder_.getFalse()});
  llvm::Value* const handle =
      builder_.CreateExtractElement(all, builder_.CreateAnd(lowest, builder_.getInt32(warp_lanes - 1)));
  llvm::Value* const other = builder_.CreateICmpNE(all, builder_.CreateVectorSplat(warp_lanes, handle));
  return {handle,
          builder_.CreateICmpEQ(builder_.CreateAnd(rows_->bits_of(other), mask), builder_.getInt32(0))};
}

// Nothing is found for handle 0: words of 0.
RegionEmitter::Known& RegionEmitter::known_of(const kernel::Step& step, std::size_t words) {
  const auto [found, is_new] = textures_.try_emplace(step.id);
  Known& known = found->second;
  if (!is_new) return known;
  const auto slot = [&] {
    llvm::AllocaInst* const made = slot_at_start(builder_.getInt64Ty());
    llvm::IRBuilder<>(made->getParent(), std::next(made->getIterator()))
        .CreateStore(builder_.getInt64(0), made);
    return made;
  };
  known.handle = slot();
  for (std::size_t i = 0; i < words; ++i) known.words.push_back(slot());
  return known;
}

const RegionEmitter::Known& RegionEmitter::find_texture(const kernel::Step& step, llvm::Value* handle,
                                                        Link::Kind find, std::uint32_t wanted,
                                                        std::size_t words) {
  constexpr std::size_t most_words = 8;
  const Known& known = known_of(step, words);
  if (found_texture_ == nullptr)
    found_texture_ = slot_at_start(llvm::ArrayType::get(builder_.getInt64Ty(), most_words));
  Block* const look = block("find");
  Block* const found = block("found");
  branch_mostly(builder_.CreateICmpEQ(handle, number_in(known.handle)), found, look);
  builder_.SetInsertPoint(look);
  call_seldom(linked(find), {warp_, address_of(step), handle, builder_.getInt32(wanted), found_texture_});
  builder_.CreateStore(handle, known.handle);
  for (std::size_t i = 0; i < words; ++i)
    builder_.CreateStore(load_at(builder_.getInt64Ty(), found_texture_, 8 * i), known.words[i]);
  builder_.CreateBr(found);
  builder_.SetInsertPoint(found);
  return known;
}

// That the texels are there.
void RegionEmitter::tell_found(const Node& node, std::uint32_t offset, const StepPlan& plan) {
  for (const RowUse& use : plan.rows)
    if (use.out && use.bytes == 0 && live_[offset + 1].has(row(use)))
      write_result(step_of(node, offset), use, values_.constant(builder_.getInt1Ty(), 1));
}

}  // namespace wedjat::compile
