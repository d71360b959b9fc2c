// Detours with loops: whichever block stands first of those that lanes have come to is next, again and again,
// until all have come to where they meet. What the blocks write goes through slots.
#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

void RegionEmitter::go_round(const Detour& detour) {
  detour_->kept = liveness_.at(region_.nodes[detour.meet].block);
  for (const std::uint32_t number : detour.inside)
    detour_->kept.add(liveness_.at(region_.nodes[number].block));
  Round round{.begin = block("round"), .slots = {}};
  detour.written.for_each([&](std::uint32_t r) {
    if (!detour_->kept.has(r)) return;
    Value& was = rows_->get(r);
    llvm::Type* const type = Values::wide(rows_->type(r));
    round.slots[r] = slot_at_start(type);
    builder_.CreateStore(
        was.shape.kind == Shape::Kind::unknown ? llvm::PoisonValue::get(type) : values_.vector(was),
        round.slots[r]);
  });
  dirty_here_.add(detour.written);
  builder_.CreateBr(round.begin);
  builder_.SetInsertPoint(round.begin);
  for (const std::uint32_t number : detour.inside) pass_in_round(detour, number, round);
  load_slots(round);
}

void RegionEmitter::load_slots(const Round& round) {
  for (const auto& [r, slot] : round.slots)
    rows_->set(r, {Shape::vector(), nullptr, nullptr, builder_.CreateLoad(slot->getAllocatedType(), slot)});
}

void RegionEmitter::pass_in_round(const Detour& detour, std::uint32_t number, const Round& round) {
  const Node& aside = region_.nodes[number];
  const Pending mine = detour_->pending.at(number);
  const Rows::State rows = rows_->state();
  detour_->lanes = number_in(mine.lanes);
  Block* const some = block("aside");
  Block* const past = block("past");
  builder_.CreateCondBr(builder_.CreateICmpNE(detour_->lanes, builder_.getInt32(0)), some, past);
  builder_.SetInsertPoint(some);
  detour_->streak = number_in(mine.streak);
  detour_->used = used();
  builder_.CreateStore(builder_.getInt32(0), mine.lanes);
  builder_.CreateStore(builder_.getInt32(0xffffffffu), mine.streak);
  load_slots(round);
  live_ = liveness_.through(aside.block);
  if (detour.heads.contains(number)) {
    // Whoever runs before somebody asks again runs no block twice.
    llvm::Value* can =
        builder_.CreateAnd(has_share(detour, 0),
                           is_brief(builder_.CreateAdd(detour_->streak, number_in(detour_->extra)), detour));
    for (const auto& [place, pending] : detour_->pending)
      can = builder_.CreateAnd(
          can, builder_.CreateOr(builder_.CreateICmpEQ(number_in(pending.lanes), builder_.getInt32(0)),
                                 is_brief(number_in(pending.streak), detour)));
    Block* const cannot = block("cannot");
    Block* const go = block("on");
    builder_.CreateCondBr(can, go, cannot);
    builder_.SetInsertPoint(cannot);
    leave_at_step(aside, aside.first);
    builder_.SetInsertPoint(go);
  }
  for (std::uint32_t i = aside.first; i < aside.last; ++i) emit_step(aside, i);
  for (const auto& [r, slot] : round.slots) builder_.CreateStore(values_.vector(rows_->get(r)), slot);
  if (leads_on(code_, aside)) {
    count_end(aside);
    go_on_from(aside);
    bool back = false;
    for (const std::uint32_t next : aside.next) back |= region_.nodes[next].block <= aside.block;
    builder_.CreateBr(back ? round.begin : past);
  } else {
    leave_at_step(aside, aside.last);
  }
  builder_.SetInsertPoint(past);
  rows_->restore(rows);
}

}  // namespace wedjat::compile
