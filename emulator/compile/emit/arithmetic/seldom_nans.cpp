// Results of doubles that are NaN are rare. To choose among the operands' NaNs takes many more instructions
// than the sum itself; so code asks whether there is any, and chooses on a way that is seldom taken. While
// code is made better, question and choice are one call that nobody looks into (late_calls.h).
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "emulator/compile/emit/late_calls.h"
#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

namespace {

// Whether any lane's is NaN: two lanes are asked with one comparison.
llvm::Value* any_nan(llvm::IRBuilder<>& builder, llvm::Value* numbers) {
  constexpr unsigned half = warp_lanes / 2;
  llvm::SmallVector<int, half> low, high;
  for (unsigned lane = 0; lane < half; ++lane) {
    low.push_back(static_cast<int>(lane));
    high.push_back(static_cast<int>(lane + half));
  }
  llvm::Value* const either = builder.CreateFCmpUNO(builder.CreateShuffleVector(numbers, low),
                                                    builder.CreateShuffleVector(numbers, high));
  // Lanes that nobody reads may hold anything.
  llvm::Value* const bits = builder.CreateFreeze(builder.CreateBitCast(either, builder.getIntNTy(half)));
  return builder.CreateICmpNE(bits, builder.getIntN(half, 0));
}

// What takes the place of a NaN.
enum class Instead { quiet, made };

// `chosen`, but where `asked` is NaN: that, made quiet, or what processors make.
llvm::Value* replaced(llvm::IRBuilder<>& builder, llvm::Value* chosen, llvm::Value* asked, Instead instead) {
  llvm::Value* const nan = builder.CreateFCmpUNO(asked, asked);
  const auto as_number = [&](llvm::Value* bits) { return builder.CreateBitCast(bits, asked->getType()); };
  const auto all_of = [&](std::uint64_t bits) {
    return builder.CreateVectorSplat(warp_lanes, builder.getInt64(bits));
  };
  llvm::Value* const other =
      instead == Instead::made
          ? all_of(made_nan)
          : builder.CreateOr(builder.CreateBitCast(asked, Values::wide(builder.getInt64Ty())),
                             all_of(quiet_nan_bit));
  return builder.CreateSelect(nan, as_number(other), chosen);
}

// The same as one instruction for eight lanes, whose table says what becomes of numbers of each kind: four
// bits for quiet NaNs, four for others, and nothing for those that are none.
llvm::Value* replaced_by_table(llvm::IRBuilder<>& builder, llvm::Value* chosen, llvm::Value* asked,
                               Instead instead) {
  constexpr unsigned count = 8, quiet_of_asked = 0x22, indefinite = 0x33, as_set = 4;
  llvm::Value* const table = builder.CreateVectorSplat(
      count, builder.getInt64(instead == Instead::made ? indefinite : quiet_of_asked));
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned first = 0; first < warp_lanes; first += count) {
    const auto part = [&](llvm::Value* of) {
      return builder.CreateShuffleVector(of, llvm::createSequentialMask(first, count, 0));
    };
    parts.push_back(builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_fixupimm_pd_512, {},
                                            {part(chosen), part(asked), table, builder.getInt32(0),
                                             builder.getInt8(0xff), builder.getInt32(as_set)}));
  }
  return llvm::concatenateVectors(builder, parts);
}

}  // namespace

bool RegionEmitter::chooses_aside(const StepPlan& plan, const RowElements& inputs) const {
  if (plan.nans == nullptr) return false;
  bool vector = false;
  for (const RowUse& use : plan.rows) vector |= use.in && !inputs.at(use.index).value.shape.is_uniform();
  return vector;
}

// Its arguments: the result, and the operands in the order in which they are chosen.
llvm::Function* RegionEmitter::chooser_of(std::size_t operands) {
  const std::string name = "choice_" + std::to_string(operands);
  if (llvm::Function* const known = module_.getFunction(name)) return known;
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  llvm::Type* const rows = Values::wide(builder_.getInt64Ty());
  const llvm::SmallVector<llvm::Type*, 4> types(operands + 1, rows);
  auto* const function = llvm::Function::Create(llvm::FunctionType::get(rows, types, false),
                                                llvm::GlobalValue::InternalLinkage, name, module_);
  function->addFnAttr(is_late);
  const auto add = [&] { return Block::Create(module_.getContext(), "", function); };
  Block* const ask = add();
  Block* const some = add();
  Block* const end = add();
  builder_.SetInsertPoint(ask);
  const auto number = [&](unsigned argument) {
    return builder_.CreateBitCast(function->getArg(argument), Values::wide(builder_.getDoubleTy()));
  };
  llvm::Value* const result = number(0);
  branch_mostly(builder_.CreateNot(any_nan(builder_, result)), end, some);
  builder_.SetInsertPoint(some);
  const auto replace = target_.avx512 ? replaced_by_table : replaced;
  // What was computed may have been folded, with NaNs of the compiler's own.
  llvm::Value* chosen = replace(builder_, result, result, Instead::made);
  for (unsigned i = static_cast<unsigned>(operands); i > 0; --i)
    chosen = replace(builder_, chosen, number(i), Instead::quiet);
  chosen = builder_.CreateBitCast(chosen, rows);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode* const both = builder_.CreatePHI(rows, 2);
  both->addIncoming(function->getArg(0), ask);
  both->addIncoming(chosen, some);
  builder_.CreateRet(both);
  return function;
}

// `result` is what the step computes where nothing is NaN.
Value RegionEmitter::choose_aside(const StepPlan& plan, RowElements& inputs, Value result) {
  llvm::SmallVector<llvm::Value*, 4> arguments{values_.vector(result)};
  for (const unsigned row : plan.nans->operands) arguments.push_back(values_.vector(inputs.at(row).value));
  return {Shape::vector(), nullptr, nullptr, pure_call(chooser_of(plan.nans->operands.size()), arguments)};
}

}  // namespace wedjat::compile
