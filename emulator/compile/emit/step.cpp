// Steps: what they compute, or a call of their executor.
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"
#include "emulator/compile/emit/widen.h"
#include "emulator/exec/cta/costs.h"

namespace wedjat::compile {

// The lanes that do a step: i32.
llvm::Value* RegionEmitter::active(std::uint16_t guard, bool negated) {
  llvm::Value* const here = detour_ ? detour_->lanes : rows_->mask();
  if (guard == 0) return here;
  if (guard_.shape.is_uniform()) {
    llvm::Value* const none = builder_.getInt32(0);
    return negated ? builder_.CreateSelect(guard_.base, none, here)
                   : builder_.CreateSelect(guard_.base, here, none);
  }
  llvm::Value* bits = rows_->bits_of(values_.vector(guard_));
  if (negated) bits = builder_.CreateNot(bits);
  return builder_.CreateAnd(bits, here);
}

// Where one lane is on the path, what it has is a number.
Value RegionEmitter::of_path(const Value& value) {
  if (rows_->lane() == nullptr || value.shape.is_uniform()) return value;
  Value copy = value;
  llvm::Value* const all = values_.vector(copy);
  llvm::Value* number = nullptr;
  if (llvm::cast<llvm::VectorType>(all->getType())->getElementType()->isIntegerTy(1))
    number =
        builder_.CreateTrunc(builder_.CreateLShr(rows_->bits_of(all), rows_->lane()), builder_.getInt1Ty());
  else
    number = builder_.CreateExtractElement(all, rows_->lane());
  return {Shape::uniform(), number, nullptr, nullptr};
}

// What an executor left in a row: of all lanes, or of this one.
Value RegionEmitter::from_memory(std::uint32_t r, llvm::Value* lane) {
  if (lane != nullptr) return {Shape::uniform(), rows_->load_lane(r, lane), nullptr, nullptr};
  return {Shape::vector(), nullptr, nullptr, rows_->load(r)};
}

// Lanes that the guard leaves out keep what they had, and so do those that are not on a detour if they will
// read it.
void RegionEmitter::write_result(const kernel::Step& step, const RowUse& use, const Value& given) {
  const Value value = of_path(given);
  const std::uint32_t to = row(use);
  dirty_here_.add(to);
  if (detour_ && detour_->kept.has(to) && rows_->get(to).shape.kind != Shape::Kind::unknown) {
    Value now = value, before = rows_->get(to);
    llvm::Value* const both =
        builder_.CreateSelect(rows_->lanes_of(active(step)), values_.vector(now), values_.vector(before));
    return rows_->set(to, {Shape::vector(), nullptr, nullptr, both});
  }
  if (step.guard == 0) return rows_->set(to, value);
  Value& old = rows_->get(to);
  if (old.shape.kind == Shape::Kind::unknown) return rows_->set(to, value);  // nobody reads it
  const Shape shape = selected(guard_.shape, value.shape, old.shape);
  const bool negated = (step.flags & kernel::step_flag::guard_negated) != 0;
  rows_->set(to,
             negated ? values_.select(guard_, old, value, shape) : values_.select(guard_, value, old, shape));
}

// Leaves the code before the step if that does not hold: the loop can do it in any case.
void RegionEmitter::require(const Node& node, std::uint32_t step, llvm::Value* holds) {
  Block* const good = block("holds");
  if (member_.aside != nullptr) {
    builder_.CreateCondBr(holds, good, member_.aside);
    return builder_.SetInsertPoint(good);
  }
  Block* const bad = block("fails");
  builder_.CreateCondBr(holds, good, bad);
  builder_.SetInsertPoint(bad);
  leave_seldom(node, step);
  builder_.SetInsertPoint(good);
}

void RegionEmitter::emit_step(const Node& node, std::uint32_t step) {
  const std::uint32_t number = number_of(node, step);
  const StepPlan& plan = plans_[number];
  guard_ = {};
  if (const std::uint16_t guard = code_.steps[number].guard; guard != 0)
    guard_ = rows_->get(row(guard_row(guard)));
  switch (plan.kind) {
    case StepPlan::Kind::compute:
      return compute(node, step, plan);
    case StepPlan::Kind::load:
    case StepPlan::Kind::store:
    case StepPlan::Kind::update:
      return access(node, step, plan);
    case StepPlan::Kind::fetch:
      return fetch(node, step, plan);
    case StepPlan::Kind::sample:
      return sample(node, step, plan);
    case StepPlan::Kind::executor:
      return call_executor(node, step, plan);
    case StepPlan::Kind::probe:
      return watch(code_.steps[number]);
  }
}

void RegionEmitter::compute(const Node& node, std::uint32_t offset, const StepPlan& plan) {
  const kernel::Step& step = step_of(node, offset);
  RowElements inputs;
  for (const RowUse& use : plan.rows)
    inputs[use.index] = {use.in ? rows_->get(row(use)) : Value{Shape::vector(), nullptr, nullptr, nullptr},
                         use.bits()};
  const Widening how{values_, builder_, target_.avx512,
                     [&](llvm::Value* holds) { require(node, offset, holds); }};
  if (is_shared(plan, inputs)) return write_result(step, plan.rows.front(), call_shared(plan, inputs));
  const bool aside = chooses_aside(plan, inputs);
  std::map<unsigned, Value> results = widen(aside ? *plan.nans->plain : *plan.lane, inputs, &how);
  if (aside) results.begin()->second = choose_aside(plan, inputs, results.begin()->second);
  for (const RowUse& use : plan.rows)
    if (const auto result = results.find(use.index); result != results.end())
      write_result(step, use, result->second);
}

llvm::Value* RegionEmitter::executor_of(const kernel::Step& step, llvm::Value* mask) {
  const bool all = mask == all_lanes();
  auto* const type = llvm::FunctionType::get(
      builder_.getVoidTy(), {builder_.getPtrTy(), builder_.getPtrTy(), builder_.getInt32Ty()}, false);
  const std::string name = symbol_of(all ? Link::Kind::full : Link::Kind::masked, number_of(step));
  llvm::Value* const executor = module_.getOrInsertFunction(name, type).getCallee();
  // Where it is the table says, without a jump in between.
  llvm::cast<llvm::Function>(executor)->addFnAttr(llvm::Attribute::NonLazyBind);
  return executor;
}

void RegionEmitter::call_executor(const Node& node, std::uint32_t offset, const StepPlan& plan) {
  namespace flag = kernel::step_flag;
  const kernel::Step& step = step_of(node, offset);
  if (step.flags & flag::rendezvous) {
    // All live lanes that are named have to be here, and all have to name the same.
    Value& members = rows_->get(row(step.row[step.flags >> 8]));
    llvm::Value* here = builder_.getFalse();
    if (members.shape.is_uniform()) {
      llvm::Value* const live = load_at(builder_.getInt32Ty(), warp_, offsetof(exec::WarpContext, live));
      here = builder_.CreateICmpEQ(builder_.CreateAnd(members.base, live), rows_->mask());
    }
    require(node, offset, here);
    if (exchange(step, plan)) return;
  }
  llvm::Value* const mask = active(step);
  for (const RowUse& use : plan.rows)
    if (rows_->tracked(row(use)) && (use.in || step.guard != 0 || detour_) &&
        rows_->get(row(use)).shape.kind != Shape::Kind::unknown)
      rows_->spill(row(use));
  Block* after = nullptr;
  if (step.guard != 0) {
    Block* const some = block("some");
    after = block("after");
    builder_.CreateCondBr(builder_.CreateICmpNE(mask, builder_.getInt32(0)), some, after);
    builder_.SetInsertPoint(some);
  }
  if (step.flags & flag::communicates) add_to(cost_, builder_.getInt64(exec::communication_cost));
  write_expected();
  builder_.CreateCall(llvm::cast<llvm::Function>(executor_of(step, mask)), {warp_, address_of(step), mask});
  if (after != nullptr) {
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
  }
  for (const RowUse& use : plan.rows) {
    if (!use.out || !rows_->tracked(row(use))) continue;
    dirty_here_.add(row(use));
    rows_->reload(row(use), from_memory(row(use), rows_->lane()));
  }
}

}  // namespace wedjat::compile
