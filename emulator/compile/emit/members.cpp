// Code that takes paths of a CTA one after the other, each as far as a barrier of all threads or to its end.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

using exec::Member;
using exec::Passage;

void RegionEmitter::begin_members() {
  member_.next = builder_.CreateAlloca(builder_.getPtrTy());
  member_.places = builder_.CreateAlloca(builder_.getInt64Ty());
  builder_.CreateStore(builder_.getInt64(0), member_.places);
  member_.budget = builder_.CreateAlloca(builder_.getInt64Ty());
  builder_.CreateStore(load_field(builder_.getPtrTy(), offsetof(Passage, member)), member_.next);
  builder_.CreateStore(load_field(builder_.getInt64Ty(), offsetof(Passage, budget)), member_.budget);
  member_.begin = block("member");
  member_.came = block("came");
  member_.ended = block("ended");
  builder_.CreateBr(member_.begin);
  builder_.SetInsertPoint(member_.begin);
  begin_member();
  warp_ = builder_.CreateLoad(builder_.getPtrTy(), member_field(offsetof(Member, warp)));
  find_watched(builder_.CreateLoad(builder_.getPtrTy(), member_field(offsetof(Member, watched))));
  rows_->set_frame(builder_.CreateLoad(builder_.getPtrTy(), member_field(offsetof(Member, rows))));
  // For executors that are called.
  builder_.CreateStore(builder_.CreateLoad(builder_.getPtrTy(), member_field(offsetof(Member, local))),
                       load_field(builder_.getPtrTy(), offsetof(Passage, local)));
  find_local();
  Block* const refuse = block("refuse");
  check_rival(refuse);
  load_entry(refuse);
  hand_over(0);
  builder_.CreateBr(starts_[0]);
  builder_.SetInsertPoint(refuse);
  write_totals();
  builder_.CreateRet(how(exec::Left::refused));
}

void RegionEmitter::begin_member() {
  member_.now = number_in(member_.next);
  budget_ = number_in(member_.budget);
  for (llvm::AllocaInst* counter : {ran_, cost_}) builder_.CreateStore(builder_.getInt64(0), counter);
  builder_.CreateStore(builder_.CreateLoad(builder_.getInt32Ty(), member_field(offsetof(Member, streak))),
                       member_.streak);
}

void RegionEmitter::find_local() {
  if (std::ranges::none_of(plans_, &StepPlan::is_local)) return;
  llvm::Type* const number = builder_.getInt64Ty();
  llvm::Value* const port = load_at(builder_.getPtrTy(), warp_, offsetof(exec::WarpContext, memory));
  llvm::SmallVector<llvm::Constant*, warp_lanes> numbers;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) numbers.push_back(builder_.getInt64(lane));
  llvm::Value* const stride = load_at(number, port, offsetof(exec::MemoryPort, local_stride));
  local_ = {.host = builder_.CreateLoad(number, member_field(offsetof(Member, local))),
            .bytes = load_at(number, port, offsetof(exec::MemoryPort, local_bytes)),
            .lanes = builder_.CreateMul(builder_.CreateVectorSplat(warp_lanes, stride),
                                        llvm::ConstantVector::get(numbers))};
  if (llvm::Value* const lane = rows_->lane(); lane != nullptr)
    local_.host =
        builder_.CreateAdd(local_.host, builder_.CreateMul(stride, builder_.CreateZExt(lane, number)));
}

// A path has come to a barrier or to its end, at a place of the region that is no other's.
std::uint64_t RegionEmitter::come(Block* as) {
  constexpr unsigned own = 62;
  const unsigned place = std::min(member_.place_count++, own);
  const std::uint64_t bit = place == own ? std::uint64_t{3} << own : std::uint64_t{1} << place;
  add_place(bit);
  builder_.CreateBr(as);
  return bit;
}

void RegionEmitter::add_place(std::uint64_t bit) {
  builder_.CreateStore(builder_.CreateOr(number_in(member_.places), bit), member_.places);
}

RegionEmitter::Others RegionEmitter::others() {
  return {.ring = load_field(builder_.getPtrTy(), offsetof(Passage, ring)),
          .ring_end = load_field(builder_.getPtrTy(), offsetof(Passage, ring_end)),
          .end = load_field(builder_.getPtrTy(), offsetof(Passage, end)),
          .room = load_field(builder_.getInt64Ty(), offsetof(Passage, room)),
          .share = load_field(builder_.getInt64Ty(), offsetof(Passage, share))};
}

// Where a path has come to a barrier, or to its end: the next one begins there.
void RegionEmitter::end_members() {
  const std::optional<PassingBy> idle = passing_by();
  Block* const further = idle ? block("pass_by") : member_.begin;
  const std::array ends{Ending{.left = exec::Left::at_barrier, .over = block("over")},
                        Ending{.left = exec::Left::ended, .over = block("over")}};
  member_.last = slot_at_start(builder_.getPtrTy());
  member_.last_budget = slot_at_start(builder_.getInt64Ty());
  for (const Ending& end : ends) {
    builder_.SetInsertPoint(end.left == exec::Left::ended ? member_.ended : member_.came);
    end_member(end, others(), further);
  }
  if (idle) pass_by(*idle, ends[idle->arrival.at.left == exec::Left::ended ? 1 : 0], further);
  for (const Ending& end : ends) {
    builder_.SetInsertPoint(end.over);
    member_.now = number_in(member_.last);
    budget_ = number_in(member_.last_budget);
    builder_.CreateStore(number_in(member_.places), field(offsetof(Passage, came)));
    write_totals();
    if (end.left == exec::Left::at_barrier) begin_next_phase();
    builder_.CreateRet(how(end.left));
  }
}

void RegionEmitter::end_member(const Ending& end, const Others& others, Block* further) {
  write_expected();
  if (end.left == exec::Left::ended) write_stand({.left = end.left});
  builder_.CreateStore(member_.now, member_.last);
  builder_.CreateStore(budget_, member_.last_budget);
  llvm::Value* const behind = at(member_.now, sizeof(Member));
  llvm::Value* const next =
      builder_.CreateSelect(builder_.CreateICmpEQ(behind, others.ring_end), others.ring, behind);
  builder_.CreateStore(next, member_.next);
  llvm::Value* const used =
      builder_.CreateAdd(number_in(total_.used), builder_.CreateAdd(number_in(ran_), number_in(cost_)));
  llvm::Value* const more =
      builder_.CreateAnd(builder_.CreateICmpNE(next, others.end), builder_.CreateICmpULE(used, others.room));
  Block* const again = block("again");
  builder_.CreateCondBr(more, again, end.over);
  builder_.SetInsertPoint(again);
  builder_.CreateStore(others.share, member_.budget);
  builder_.CreateStore(used, total_.used);
  add_to(total_.steps, number_in(ran_));
  builder_.CreateBr(further);
}

// All have gone through this code to one place, where the next phase has code: that begins at once.
void RegionEmitter::begin_next_phase() {
  llvm::Type* const pointer = builder_.getPtrTy();
  Block* const leave = block("leave");
  Block* const choose = block("choose");
  llvm::Value* const all =
      builder_.CreateICmpEQ(number_in(member_.next), load_field(pointer, offsetof(Passage, first)));
  llvm::Value* const used = load_field(builder_.getInt64Ty(), offsetof(Passage, used));
  llvm::Value* const has_room =
      builder_.CreateICmpULE(used, load_field(builder_.getInt64Ty(), offsetof(Passage, room)));
  builder_.CreateCondBr(builder_.CreateAnd(all, has_room), choose, leave);
  builder_.SetInsertPoint(choose);
  llvm::SwitchInst* const place = builder_.CreateSwitch(number_in(member_.places), leave);
  for (const auto& [node, arrival] : member_.arrivals) {
    if (arrival.at.left != exec::Left::at_barrier || !arrival.offer || !std::has_single_bit(arrival.place))
      continue;
    Block* const here = block("here");
    Block* const go = block("go");
    place->addCase(builder_.getInt64(arrival.place), here);
    builder_.SetInsertPoint(here);
    llvm::LoadInst* const code =
        builder_.CreateAlignedLoad(pointer, linked(Link::Kind::behind, *arrival.offer), llvm::Align(8));
    code->setAtomic(llvm::AtomicOrdering::Acquire);
    builder_.CreateCondBr(builder_.CreateICmpNE(code, llvm::ConstantPointerNull::get(builder_.getPtrTy())),
                          go, leave);
    builder_.SetInsertPoint(go);
    for (const std::size_t who : {offsetof(Passage, first), offsetof(Passage, end)})
      builder_.CreateStore(member_.now, field(who));
    builder_.CreateAlignedStore(stand(arrival.at, arrival.offer), field(offsetof(Passage, start)),
                                llvm::Align(8));
    builder_.CreateStore(
        load_at(builder_.getInt32Ty(), field(offsetof(Passage, start)), offsetof(exec::Stand, certificate)),
        field(offsetof(Passage, certificate)));
    builder_.CreateStore(
        builder_.CreateAdd(load_field(builder_.getInt32Ty(), offsetof(Passage, begun)), builder_.getInt32(1)),
        field(offsetof(Passage, begun)));
    llvm::CallInst* const call = builder_.CreateCall(function_->getFunctionType(), code, {passage_});
    call->setTailCallKind(llvm::CallInst::TCK_MustTail);
    builder_.CreateRet(call);
  }
  builder_.SetInsertPoint(leave);
}

void RegionEmitter::write_totals() {
  llvm::Value* const used = builder_.CreateAdd(number_in(ran_), number_in(cost_));
  const auto tell = [&](llvm::Value* value, std::size_t offset) {
    builder_.CreateStore(value, field(offset));
  };
  tell(builder_.CreateAdd(number_in(total_.steps), number_in(ran_)), offsetof(Passage, steps));
  tell(builder_.CreateAdd(number_in(total_.used), used), offsetof(Passage, used));
  tell(number_in(total_.instructions), offsetof(Passage, instructions));
  tell(number_in(total_.missing), offsetof(Passage, missing));
  tell(builder_.CreateSub(budget_, used), offsetof(Passage, budget));
  tell(member_.now, offsetof(Passage, member));
}

// The barrier of all threads that a step is and nothing else, if the loop need not look at it.
std::optional<std::uint32_t> RegionEmitter::barrier_at(const Node& node, std::uint32_t step) const {
  const kernel::Block& here = code_.blocks[node.block];
  if (request_.sweep || step == here.count) return std::nullopt;
  const kernel::Step& next = code_.steps[here.first + step];
  if (next.flags != kernel::step_flag::barrier) return std::nullopt;
  return request_.host.plain_barrier(code_, next);
}

// All lanes of a path that comes here have done all they do.
bool RegionEmitter::ends_path(const kernel::Terminator& end) const {
  return request_.full() && request_.function == 0 && end.guard == 0 &&
         (end.kind == kernel::End::Exit || end.kind == kernel::End::Return);
}

}  // namespace wedjat::compile
