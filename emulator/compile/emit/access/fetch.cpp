// Texels of lines of device memory: loads.
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

// Which word of exec::WordLine it is.
namespace line_word {

constexpr std::size_t low = (offsetof(exec::WordLine, words) + offsetof(memory::Extent, address)) / 8,
                      size = (offsetof(exec::WordLine, words) + offsetof(memory::Extent, size)) / 8,
                      host = (offsetof(exec::WordLine, words) + offsetof(memory::Extent, host)) / 8,
                      bytes = offsetof(exec::WordLine, bytes) / 8,
                      count = offsetof(exec::WordLine, count) / 8,
                      is_signed = offsetof(exec::WordLine, is_signed) / 8, all = sizeof(exec::WordLine) / 8;

}  // namespace line_word

void RegionEmitter::fetch(const Node& node, std::uint32_t offset, const StepPlan& plan) {
  const kernel::Step& step = step_of(node, offset);
  // Texels are taken to be as large as what somebody reads of them.
  const StepPlan words = words_of(offset, plan);
  const auto [handle, one] = handle_of(step, plan);
  const Known& line = find_texture(step, handle, Link::Kind::find_words, words.bytes, line_word::all);
  llvm::Value* const first = number_in(line.words[line_word::low]);
  const Near near{first, number_in(line.words[line_word::size]),
                  builder_.CreateSub(number_in(line.words[line_word::host]), first), nullptr};

  llvm::Type* const number = builder_.getInt64Ty();
  llvm::Value* also = one;
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
  if (words.data.size() == 1) {
    llvm::Value* has_bytes =
        builder_.CreateICmpNE(number_in(line.words[line_word::count]), builder_.getInt64(0));
    if (one != nullptr) has_bytes = builder_.CreateAnd(has_bytes, one);
    const Otherwise otherwise{has_bytes, [&] { return std::vector<Value>{read_bytes(line, place)}; }};
    access_at(node, offset, words, &near, address, also, &otherwise);
  } else {
    access_at(node, offset, words, &near, address, also, nullptr);
  }
  tell_found(node, offset, plan);
}

// Texels of one byte, and 0 beyond the ends.
Value RegionEmitter::read_bytes(const Known& line, const Value& place) {
  Value copy = place;
  llvm::Value* const places = values_.vector(copy);
  llvm::Type* const wide = Values::wide(builder_.getInt64Ty());
  llvm::Value* const none = llvm::Constant::getNullValue(places->getType());
  llvm::Value* const inside =
      builder_.CreateICmpULT(builder_.CreateZExt(places, wide),
                             builder_.CreateVectorSplat(warp_lanes, number_in(line.words[line_word::count])));
  llvm::Value* const hosts = builder_.CreateGEP(
      builder_.getInt8Ty(),
      builder_.CreateIntToPtr(number_in(line.words[line_word::bytes]), builder_.getPtrTy()),
      builder_.CreateZExt(builder_.CreateSelect(inside, places, none), wide));
  llvm::Value* all = llvm::PoisonValue::get(Values::wide(builder_.getInt8Ty()));
  const std::vector<llvm::Value*> each = read_each(builder_.getInt8Ty(), hosts, llvm::Align(1));
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    all = builder_.CreateInsertElement(all, each[lane], lane);
  llvm::Value* const found = builder_.CreateSelect(
      inside,
      builder_.CreateSelect(
          builder_.CreateICmpNE(number_in(line.words[line_word::is_signed]), builder_.getInt64(0)),
          builder_.CreateSExt(all, places->getType()), builder_.CreateZExt(all, places->getType())),
      none);
  if (place.shape.is_uniform())
    return {Shape::uniform(), builder_.CreateExtractElement(found, std::uint64_t{0}), nullptr, nullptr};
  return {Shape::vector(), nullptr, nullptr, found};
}

}  // namespace wedjat::compile
