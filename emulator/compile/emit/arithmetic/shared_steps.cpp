// Steps that take many instructions, special functions above all. Made anew at each place they take a region
// longer to make than all the rest, so where there are several of one kind they call one function.
#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

namespace {

// Instructions of a lane function, and places, from which on that is done: a call puts what lives across it
// into memory.
constexpr std::size_t many_instructions = 60, many_places = 5;
// No processor has instructions for integers of 128 bits: what one counts.
constexpr std::size_t wide_counts = 16;

std::size_t length_of(const llvm::Function& lane) {
  std::size_t length = 0;
  for (const llvm::Instruction& each : lane.getEntryBlock())
    length += each.getType()->isIntegerTy(128) ? wide_counts : 1;
  return length;
}

}  // namespace

void RegionEmitter::count_places() {
  for (const Node& node : region_.nodes) {
    const kernel::Block& block = code_.blocks[node.block];
    for (std::uint32_t step = node.first; step < std::min<std::uint32_t>(node.last, block.count); ++step)
      if (const StepPlan& plan = plans_[block.first + step]; plan.kind == StepPlan::Kind::compute)
        ++places_of_lane_[plan.lane];
  }
}

bool RegionEmitter::is_shared(const StepPlan& plan, const RowElements& inputs) const {
  if (places_of_lane_.at(plan.lane) < many_places || length_of(*plan.lane) < many_instructions) return false;
  // One row comes out, and nothing of it goes in.
  for (const RowUse& use : plan.rows)
    if (use.out == use.in || use.out != (use.index == plan.rows.front().index)) return false;
  return widen(*plan.lane, inputs, nullptr).begin()->second.shape.is_vector();
}

// From the rows that go in to the one that comes out.
llvm::Function* RegionEmitter::shared_function_of(const StepPlan& plan) {
  llvm::Function*& function = shared_[plan.lane];
  if (function != nullptr) return function;
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  const auto type_of = [&](const RowUse& use) { return Values::wide(builder_.getIntNTy(use.bits())); };
  llvm::SmallVector<llvm::Type*, 4> types;
  for (const RowUse& use : plan.rows)
    if (use.in) types.push_back(type_of(use));
  auto* const type = llvm::FunctionType::get(type_of(plan.rows.front()), types, false);
  function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                    plan.lane->getName() + ".shared", module_);
  builder_.SetInsertPoint(Block::Create(module_.getContext(), "", function));
  RowElements rows;
  unsigned argument = 0;
  for (const RowUse& use : plan.rows)
    rows[use.index] = {{Shape::vector(), nullptr, nullptr, use.in ? function->getArg(argument++) : nullptr},
                       use.bits()};
  const Widening how{values_, builder_, target_.avx512, [](llvm::Value*) {}};
  Value result = widen(*plan.lane, std::move(rows), &how).begin()->second;
  builder_.CreateRet(values_.vector(result));
  return function;
}

Value RegionEmitter::call_shared(const StepPlan& plan, RowElements& inputs) {
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (const RowUse& use : plan.rows)
    if (use.in) arguments.push_back(values_.vector(inputs.at(use.index).value));
  return {Shape::vector(), nullptr, nullptr, pure_call(shared_function_of(plan), arguments)};
}

// Its result says all that it does.
llvm::CallInst* RegionEmitter::pure_call(llvm::Function* function, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* const call = builder_.CreateCall(function, arguments);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::WillReturn);
  return call;
}

}  // namespace wedjat::compile
