#include "emulator/compile/emit/lookup.h"

#include <llvm/IR/IntrinsicsX86.h>

#include "emulator/compile/emit/value.h"

namespace wedjat::compile {

namespace {

// Words of a register; registers of the largest table.
constexpr unsigned in_register = 16, most_registers = 8;

llvm::Constant* part_of(const llvm::ConstantDataSequential& table, unsigned first) {
  llvm::SmallVector<std::uint32_t, in_register> words;
  for (unsigned i = first; i < first + in_register; ++i)
    words.push_back(i < table.getNumElements() ? static_cast<std::uint32_t>(table.getElementAsInteger(i))
                                               : 0);
  return llvm::ConstantDataVector::get(table.getContext(), words);
}

// Sixteen lanes at a time.
llvm::Value* look_up_half(llvm::IRBuilder<>& builder, const llvm::ConstantDataSequential& table,
                          llvm::Value* places) {
  llvm::SmallVector<llvm::Value*, most_registers> found;
  for (unsigned first = 0; first < table.getNumElements(); first += 2 * in_register)
    found.push_back(
        builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {},
                                {part_of(table, first), places, part_of(table, first + in_register)}));
  // Each was asked for the low five bits: the others say which of them it was.
  for (unsigned bit = 2 * in_register; found.size() > 1; bit *= 2) {
    llvm::Value* const all_bit = llvm::ConstantInt::get(places->getType(), bit);
    llvm::Value* const upper = builder.CreateICmpNE(builder.CreateAnd(places, all_bit),
                                                    llvm::Constant::getNullValue(places->getType()));
    llvm::SmallVector<llvm::Value*, most_registers> chosen;
    for (std::size_t i = 0; i < found.size(); i += 2)
      chosen.push_back(i + 1 == found.size() ? found[i]
                                             : builder.CreateSelect(upper, found[i + 1], found[i]));
    found = std::move(chosen);
  }
  return found.front();
}

}  // namespace

bool is_small(const llvm::ConstantDataSequential& table) {
  return table.getElementType()->isIntegerTy(32) && table.getNumElements() <= most_registers * in_register;
}

llvm::Value* look_up(llvm::IRBuilder<>& builder, const llvm::ConstantDataSequential& table,
                     llvm::Value* places) {
  llvm::Value* const words = builder.CreateTrunc(places, Values::wide(builder.getInt32Ty()));
  llvm::SmallVector<int, warp_lanes> lanes;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) lanes.push_back(static_cast<int>(lane));
  const llvm::ArrayRef<int> all(lanes);
  llvm::Value* halves[2];
  for (unsigned half = 0; half < 2; ++half)
    halves[half] = look_up_half(
        builder, table, builder.CreateShuffleVector(words, all.slice(half * in_register, in_register)));
  return builder.CreateShuffleVector(halves[0], halves[1], all);
}

}  // namespace wedjat::compile
