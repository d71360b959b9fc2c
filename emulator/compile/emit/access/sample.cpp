// Texels of planes, where no filter weighs them and coordinates count texels:
// loads.
#include <algorithm>
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

// Which word of exec::TexelPlane it is.
namespace plane_word {

constexpr std::size_t texels = offsetof(exec::TexelPlane, host) / 8,
                      row_step = offsetof(exec::TexelPlane, row_bytes) / 8,
                      column_step = offsetof(exec::TexelPlane, texel_bytes) / 8,
                      last_column = offsetof(exec::TexelPlane, last_column) / 8,
                      last_row = offsetof(exec::TexelPlane, last_row) / 8, all = sizeof(exec::TexelPlane) / 8;

}  // namespace plane_word

void RegionEmitter::sample(const Node& node, std::uint32_t offset, const StepPlan& plan) {
  const kernel::Step& step = step_of(node, offset);
  const bool moved = std::ranges::any_of(plan.rows, [&](const RowUse& use) {
    return use.in && step.form->operand[use.operand].optional &&
           rows_->get(row(use)).shape.constant != std::uint64_t{0};
  });
  if (moved) return call_executor(node, offset, plan);
  const StepPlan words = words_of(offset, plan);
  Results results = begin_results(step, false);
  const auto [handle, one] = handle_of(step, plan);
  const Known& plane = find_texture(step, handle, Link::Kind::find_plane,
                                    static_cast<std::uint32_t>(words.data.size()), plane_word::all);
  llvm::Value* good = builder_.CreateICmpNE(number_in(plane.words[plane_word::texels]), builder_.getInt64(0));
  if (one != nullptr) good = builder_.CreateAnd(good, one);
  Block* const fast = block("fast");
  Block* const slow = block("slow");
  branch_mostly(good, fast, slow);

  builder_.SetInsertPoint(fast);
  llvm::Type* const word = builder_.getInt32Ty();
  const auto times = [&](llvm::Value* all, std::size_t by) {
    llvm::Value* const bytes = builder_.CreateTrunc(number_in(plane.words[by]), word);
    return builder_.CreateMul(all, builder_.CreateVectorSplat(warp_lanes, bytes));
  };
  llvm::Value* const columns =
      texel_at(rows_->get(row(plan.address)), number_in(plane.words[plane_word::last_column]));
  llvm::Value* const lines =
      texel_at(rows_->get(row(plan.down)), number_in(plane.words[plane_word::last_row]));
  // All of them are inside, also those that nobody asked for:
  // exec::most_plane_bytes.
  llvm::Value* const behind = builder_.CreateSExt(
      builder_.CreateAdd(times(lines, plane_word::row_step), times(columns, plane_word::column_step)),
      Values::wide(builder_.getInt64Ty()));
  const Reached reached{
      .hosts = builder_.CreateGEP(
          builder_.getInt8Ty(),
          builder_.CreateIntToPtr(number_in(plane.words[plane_word::texels]), builder_.getPtrTy()), behind)};
  std::vector<Value> values;
  for (llvm::Value* const all : gather(words, reached, all_lanes()))
    values.push_back({Shape::vector(), nullptr, nullptr, all});
  bring(results, std::move(values));
  builder_.SetInsertPoint(slow);
  bring_slowly(node, offset, words, results);
  end_results(step, words, results);
  tell_found(node, offset, plan);
}

// The texel that a coordinate names: the nearest one inside. What is no number
// names the first.
llvm::Value* RegionEmitter::texel_at(const Value& coordinate, llvm::Value* last) {
  Value copy = coordinate;
  llvm::Type* const real = Values::wide(builder_.getFloatTy());
  llvm::Value* const at = builder_.CreateBitCast(values_.vector(copy), real);
  llvm::Value* const first = llvm::Constant::getNullValue(real);
  llvm::Value* const end =
      builder_.CreateVectorSplat(warp_lanes, builder_.CreateUIToFP(last, builder_.getFloatTy()));
  llvm::Value* const above = builder_.CreateSelect(builder_.CreateFCmpOGT(at, first), at, first);
  llvm::Value* const inside = builder_.CreateSelect(builder_.CreateFCmpOLT(above, end), above, end);
  return builder_.CreateFPToSI(inside, Values::wide(builder_.getInt32Ty()));
}

}  // namespace wedjat::compile
