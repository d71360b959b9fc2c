// Code that takes warps of a CTA one after the other, each from its beginning to its end.
#include "emulator/exec/warp/sweep.h"

#include <algorithm>
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"
#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::compile {

using exec::Sweep;
using Source = kernel::RowFill::Source;

namespace {

// Wherever it stops it writes all rows that are not as they were.
constexpr std::size_t most_steps_swept = 300;

// Bits of special_periods: it may differ between CTAs; between lanes.
constexpr std::uint8_t by_cta = 1, by_lane = 2;

std::uint8_t differs(const kernel::RowFill& fill) {
  return fill.source == Source::Special ? kernel::special_periods[fill.value] : 0;
}

const kernel::RowFill* fill_of(const kernel::Function& code, std::uint32_t offset) {
  const auto found = std::ranges::find(code.fills, offset, &kernel::RowFill::row);
  return found == code.fills.end() ? nullptr : &*found;
}

}  // namespace

bool RegionEmitter::can_sweep() const {
  // Wherever it stops, what follows needs no warp but this one.
  if (std::ranges::any_of(code_.steps,
                          [&](const kernel::Step& step) { return needs_loop(step, liveness_.probes()); }))
    return false;
  for (const kernel::Block& each : code_.blocks)
    if (each.end.kind == kernel::End::Call) return false;
  std::size_t steps = 0;
  for (const Node& node : region_.nodes) {
    if (node.outside) return false;
    steps += node.last - node.first;
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const kernel::Step& step = step_of(node, i);
      const StepPlan& plan = plans_[number_of(node, i)];
      if (plan.kind == StepPlan::Kind::probe && liveness_.probes()->of(step).call != nullptr) return false;
      if (plan.kind == StepPlan::Kind::executor || plan.kind == StepPlan::Kind::update || plan.is_local())
        return false;
    }
  }
  if (steps > most_steps_swept) return false;
  // What lives at the beginning is known but for a number.
  const RowSet& live = liveness_.at(region_.nodes.front().block);
  for (std::uint32_t r = 0; r < liveness_.rows(); ++r) {
    if (!live.has(r) || !wanted_.has(r)) continue;
    const kernel::RowFill* const fill = fill_of(code_, liveness_.offset(r));
    if (fill == nullptr || bytes_[r] == untracked || guessed_.has(r) || !entry_[r].is_affine() ||
        !entry_[r].sy || differs(*fill) == (by_cta | by_lane) ||
        (fill->element_bytes == 0 && !entry_[r].constant))
      return false;
  }
  return true;
}

// What a row holds when a warp begins.
Value RegionEmitter::first_value(std::uint32_t r, llvm::Value* of_cta, llvm::Value* of_warp) {
  const Shape& shape = entry_[r];
  if (shape.constant) {
    Value value = values_.constant(rows_->type(r), *shape.constant);
    value.shape = shape;
    return value;
  }
  const kernel::RowFill& fill = *fill_of(code_, liveness_.offset(r));
  const auto number = static_cast<std::uint64_t>(&fill - code_.fills.data());
  const bool one = fill.source != Source::Special || (differs(fill) & by_cta) != 0;
  llvm::Value* const place =
      builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), one ? of_cta : of_warp, number);
  llvm::Value* const loaded = builder_.CreateLoad(builder_.getInt64Ty(), place);
  return {shape, builder_.CreateTrunc(loaded, rows_->type(r)), nullptr, nullptr};
}

void RegionEmitter::begin_sweep() {
  llvm::Type* const number = builder_.getInt64Ty();
  sweep_.next = builder_.CreateAlloca(builder_.getInt32Ty());
  builder_.CreateStore(load_field(builder_.getInt32Ty(), offsetof(Sweep, next)), sweep_.next);
  sweep_.earlier_steps = builder_.CreateAlloca(number);
  builder_.CreateStore(builder_.getInt64(0), sweep_.earlier_steps);
  member_.ended = block("ended");
  sweep_.anew = block("anew");
  sweep_.again = block("again");
  sweep_.learnt = block("learnt");
  sweep_.first_effect = first_effect();
  for (llvm::AllocaInst** before : {&sweep_.instructions, &sweep_.missing})
    *before = builder_.CreateAlloca(number);
  member_.now = load_field(builder_.getPtrTy(), offsetof(exec::Passage, member));
  budget_ = load_field(number, offsetof(exec::Passage, budget));
  warp_ = builder_.CreateLoad(builder_.getPtrTy(), member_field(offsetof(exec::Member, warp)));
  sweep_.of_cta = builder_.CreateAlloca(builder_.getPtrTy());
  builder_.CreateStore(load_field(builder_.getPtrTy(), offsetof(Sweep, of_cta)), sweep_.of_cta);
  llvm::Value* const of_warps = load_field(builder_.getPtrTy(), offsetof(Sweep, of_warp));

  Block* const warp = block("warp");
  sweep_.begin_runs = block("runs");
  llvm::Value* const port = load_at(builder_.getPtrTy(), warp_, offsetof(exec::WarpContext, memory));
  llvm::Value* const watch = load_at(builder_.getPtrTy(), port, offsetof(exec::MemoryPort, watch));
  builder_.CreateCondBr(builder_.CreateIsNotNull(watch), sweep_.begin_runs, sweep_.learnt);
  builder_.SetInsertPoint(sweep_.learnt);
  keep_nears();
  builder_.CreateBr(warp);
  builder_.SetInsertPoint(warp);
  builder_.CreateStore(builder_.getInt64(0), ran_);
  builder_.CreateStore(number_in(total_.instructions), sweep_.instructions);
  builder_.CreateStore(number_in(total_.missing), sweep_.missing);
  for (llvm::Value* streak :
       {static_cast<llvm::Value*>(member_.streak), member_field(offsetof(exec::Member, streak))})
    builder_.CreateStore(builder_.getInt32(0), streak);
  llvm::Value* const next =
      builder_.CreateZExt(builder_.CreateLoad(builder_.getInt32Ty(), sweep_.next), number);
  llvm::Value* const of_warp =
      builder_.CreateGEP(number, of_warps, builder_.CreateMul(next, builder_.getInt64(code_.fills.size())));
  llvm::Value* const of_cta = builder_.CreateLoad(builder_.getPtrTy(), sweep_.of_cta);
  llvm::Value* const watched = load_field(builder_.getPtrTy(), offsetof(Sweep, watched));
  find_watched(builder_.CreateGEP(builder_.getInt8Ty(), watched,
                                  builder_.CreateMul(next, builder_.getInt64(sizeof(exec::Watched)))));
  std::vector<Value> values(liveness_.rows());
  const RowSet& live = liveness_.at(region_.nodes.front().block);
  for (std::uint32_t r = 0; r < liveness_.rows(); ++r)
    if (live.has(r) && wanted_.has(r))
      values[r] = values_.reshaped(first_value(r, of_cta, of_warp), before_[0][r]);
  constants_ = values;
  rows_->begin(std::move(values));
  hand_over(0);
  builder_.CreateBr(starts_[0]);

  // What end_warp() goes back to.
  sweep_.warp = warp;
}

void RegionEmitter::end_warp() {
  builder_.SetInsertPoint(member_.ended);
  write_expected();
  llvm::Type* const number = builder_.getInt64Ty();
  add_to(sweep_.next, builder_.getInt32(1));
  llvm::Value* const next = number_in(sweep_.next);
  llvm::Value* const ran = builder_.CreateAdd(number_in(total_.steps), number_in(ran_));
  llvm::Value* const has_room =
      builder_.CreateICmpULE(builder_.CreateSub(ran, number_in(sweep_.earlier_steps)),
                             load_field(number, offsetof(exec::Passage, room)));
  const auto go_on = [&] {
    for (llvm::AllocaInst* total : {total_.steps, total_.used}) builder_.CreateStore(ran, total);
    builder_.CreateBr(sweep_.warp);
  };
  Block* const again = block("again");
  Block* const last = block("last");
  Block* const other = block("other_cta");
  Block* const over = block("over");
  llvm::Value* const in_cta = builder_.CreateICmpULT(next, load_field(next->getType(), offsetof(Sweep, end)));
  builder_.CreateCondBr(builder_.CreateAnd(in_cta, has_room), again, last);
  builder_.SetInsertPoint(again);
  go_on();
  builder_.SetInsertPoint(last);
  llvm::Value* const cta =
      builder_.CreateAdd(load_field(next->getType(), offsetof(Sweep, cta)), builder_.getInt32(1));
  llvm::Value* const any =
      builder_.CreateAnd(builder_.CreateICmpULT(cta, load_field(cta->getType(), offsetof(Sweep, ctas))),
                         builder_.CreateNot(in_cta));
  builder_.CreateCondBr(builder_.CreateAnd(any, has_room), other, over);
  builder_.SetInsertPoint(other);
  builder_.CreateStore(cta, field(offsetof(Sweep, cta)));
  builder_.CreateStore(ran, field(offsetof(Sweep, earlier_steps)));
  builder_.CreateStore(ran, sweep_.earlier_steps);
  builder_.CreateStore(builder_.getInt32(0), sweep_.next);
  builder_.CreateStore(
      builder_.CreateConstInBoundsGEP1_64(number, builder_.CreateLoad(builder_.getPtrTy(), sweep_.of_cta),
                                          code_.fills.size()),
      sweep_.of_cta);
  go_on();
  builder_.SetInsertPoint(over);
  write_totals();
  builder_.CreateStore(next, field(offsetof(Sweep, next)));
  builder_.CreateRet(how(exec::Left::ended));

  begin_anew();
  builder_.SetInsertPoint(sweep_.begin_runs);
  for (std::size_t i = 0; i < sweep_.runs.size(); ++i) {
    const auto& [step, use] = sweep_.runs[i];
    builder_.CreateStore(address_of(*step), run_field(i, offsetof(exec::NotedRun, step)));
    for (const std::size_t offset :
         {offsetof(exec::NotedRun, begin), offsetof(exec::NotedRun, end), offsetof(exec::NotedRun, limit)})
      builder_.CreateStore(builder_.getInt64(0), run_field(i, offset));
    builder_.CreateStore(builder_.getInt8(static_cast<std::uint8_t>(use)),
                         run_field(i, offsetof(exec::NotedRun, use)));
  }
  builder_.CreateStore(builder_.getInt32(static_cast<std::uint32_t>(sweep_.runs.size())),
                       field(offsetof(Sweep, runs_used)));
  builder_.CreateBr(sweep_.learnt);
}

llvm::Value* RegionEmitter::run_field(std::size_t run, std::size_t offset) {
  llvm::Value* const runs = load_field(builder_.getPtrTy(), offsetof(Sweep, runs));
  return at(runs, run * sizeof(exec::NotedRun) + offset);
}

// Warp after warp mostly touches what lies behind what the one before it did: a run of them is told at once.
void RegionEmitter::note_run(const kernel::Step& step, exec::Use use, llvm::Value* first,
                             std::uint64_t bytes) {
  const std::size_t run = sweep_.runs.size();
  sweep_.runs.emplace_back(&step, use);
  llvm::Type* const number = builder_.getInt64Ty();
  const auto load = [&](std::size_t offset) { return builder_.CreateLoad(number, run_field(run, offset)); };
  llvm::Value* const end = load(offsetof(exec::NotedRun, end));
  llvm::Value* const last = builder_.CreateAdd(first, builder_.getInt64(bytes));
  llvm::Value* goes_on = builder_.CreateICmpUGE(first, load(offsetof(exec::NotedRun, begin)));
  goes_on = builder_.CreateAnd(goes_on, builder_.CreateICmpULE(first, end));
  goes_on = builder_.CreateAnd(goes_on, builder_.CreateICmpULE(last, load(offsetof(exec::NotedRun, limit))));
  Block* const longer = block("longer");
  Block* const other = block("other");
  Block* const after = block("after");
  builder_.CreateCondBr(goes_on, longer, other);
  builder_.SetInsertPoint(longer);
  builder_.CreateStore(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, end, last),
                       run_field(run, offsetof(exec::NotedRun, end)));
  builder_.CreateBr(after);
  builder_.SetInsertPoint(other);
  call_seldom(linked(Link::Kind::begin_run), {warp_, run_field(run, 0), first, builder_.getInt64(bytes)});
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

// Before a step that seldom needs the loop. While nothing has happened that would happen twice, the loop does
// the warp from its beginning, and one place is left for all such steps: to write all rows at each of them
// takes as long to make as all the rest.
void RegionEmitter::leave_seldom(const Node& node, std::uint32_t step) {
  if (!request_.sweep || !may_begin_anew(node, step)) return leave_at_step(node, step);
  builder_.CreateBr(sweep_.anew);
}

// The first place that may have changed something for others, or taken long: by block and step.
std::pair<std::uint32_t, std::uint32_t> RegionEmitter::first_effect() const {
  std::pair<std::uint32_t, std::uint32_t> first{~0u, 0};
  for (const Node& node : region_.nodes) {
    for (const std::uint32_t next : node.next)  // a loop's beginning
      if (const std::uint32_t to = region_.nodes[next].block; to <= node.block)
        first = std::min(first, std::pair(to, 0u));
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const StepPlan::Kind kind = plans_[number_of(node, i)].kind;
      if (kind != StepPlan::Kind::compute && kind != StepPlan::Kind::load)
        first = std::min(first, std::pair(node.block, i));
    }
  }
  return first;
}

// A warp that has done nothing yet that must not happen twice: it is swept again, or the loop does it.
void RegionEmitter::begin_anew() {
  const auto forget = [&](Block* here) {
    builder_.SetInsertPoint(here);
    builder_.CreateStore(builder_.getInt64(0), ran_);
    builder_.CreateStore(number_in(sweep_.instructions), total_.instructions);
    builder_.CreateStore(number_in(sweep_.missing), total_.missing);
  };
  forget(sweep_.again);
  builder_.CreateBr(sweep_.learnt);
  forget(sweep_.anew);
  stop_in_warp();
  builder_.CreateStore(builder_.getInt32(0), member_field(offsetof(exec::Member, streak)));
  const Node& first = region_.nodes.front();
  leave({.block = first.block, .step = first.first}, {}, 0, how(exec::Left::at_step));
}

// The warp needs rows from here on.
void RegionEmitter::stop_in_warp() {
  if (!request_.sweep) return;
  builder_.CreateStore(number_in(sweep_.next), field(offsetof(Sweep, next)));
  llvm::Value* const begin = load_field(builder_.getPtrTy(), offsetof(Sweep, begin));
  rows_->set_frame(builder_.CreateIntToPtr(call_seldom(begin, {passage_}), builder_.getPtrTy()));
}

}  // namespace wedjat::compile
