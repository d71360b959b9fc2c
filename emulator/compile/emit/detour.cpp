// Blocks that some lanes take while others take other ones, as far as where all of them meet. Each is emitted
// for the lanes that have come to it, in the order of their places: that is how the loop takes parted lanes.
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"
#include "emulator/exec/cta/costs.h"

namespace wedjat::compile {

using exec::Passage;

// Whatever the values are.
std::optional<RegionEmitter::Detour> RegionEmitter::detour_from(const Node& node) const {
  // Where other paths of the warp may have to run first, the loop knows when.
  const bool alone = request_.full() || request_.bounds.until == Bounds{}.until;
  std::optional<Ways> ways = alone ? ways_from(code_, region_, node) : std::nullopt;
  if (!ways) return std::nullopt;
  Detour detour{std::move(*ways), 0, RowSet(liveness_.rows())};
  for (const std::uint32_t number : detour.inside) {
    const Node& aside = region_.nodes[number];
    for (std::uint32_t i = aside.first; i < aside.last; ++i) {
      const std::uint32_t step = code_.blocks[aside.block].first + i;
      if (code_.steps[step].flags & kernel::step_flag::rendezvous) return std::nullopt;
      // Who is called may ask how far the warp has diverged: the loop knows.
      if (plans_[step].kind == StepPlan::Kind::probe && liveness_.probes()->of(code_.steps[step]).tells)
        return std::nullopt;
      for (const RowUse& use : plans_[step].rows)
        if (use.out && bytes_[row(use)] != untracked) detour.written.add(row(use));
    }
    detour.cost += cost_of(code_, aside);
  }
  return detour;
}

std::optional<RegionEmitter::Detour> RegionEmitter::detour_at(const Node& node) const {
  std::optional<Detour> detour = detour_from(node);
  // What it brings differs from lane to lane: those that go on together must expect that.
  bool expected = detour.has_value();
  if (expected)
    detour->written.for_each([&](std::uint32_t r) {
      expected = expected && (!liveness_.at(region_.nodes[detour->meet].block).has(r) ||
                              before_[detour->meet][r].is_vector());
    });
  return expected ? std::move(detour) : std::nullopt;
}

// By node: where lanes meet that part at its end, and what may differ between them then.
std::vector<Meeting> RegionEmitter::meetings() const {
  std::vector<Meeting> all;
  for (const Node& node : region_.nodes) {
    Meeting& meeting = all.emplace_back(Meeting{0, RowSet(liveness_.rows())});
    const std::optional<Detour> detour = detour_from(node);
    if (!detour) continue;
    meeting.node = detour->meet;
    const RowSet& live = liveness_.at(region_.nodes[detour->meet].block);
    detour->written.for_each([&](std::uint32_t r) {
      if (live.has(r)) meeting.rows.add(r);
    });
  }
  return all;
}

llvm::Value* RegionEmitter::used() { return builder_.CreateAdd(number_in(ran_), number_in(cost_)); }

// Lanes come to a node: who runs less long before others may, counts for all that wait there.
void RegionEmitter::pend(std::uint32_t node, llvm::Value* lanes, llvm::Value* streak) {
  const Pending& pending = detour_->pending.at(node);
  builder_.CreateStore(builder_.CreateOr(number_in(pending.lanes), lanes), pending.lanes);
  llvm::Value* const known = number_in(pending.streak);
  llvm::Value* const least = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, known, streak);
  builder_.CreateStore(
      builder_.CreateSelect(builder_.CreateICmpNE(lanes, builder_.getInt32(0)), least, known),
      pending.streak);
}

// A path of this streak can go through all of it before others have to go first.
llvm::Value* RegionEmitter::is_brief(llvm::Value* streak, const Detour& detour) {
  const std::uint64_t longest = exec::longest_streak - detour.cost;
  return builder_.CreateICmpULT(streak, builder_.getInt32(static_cast<std::uint32_t>(longest)));
}

// So it can before its share is over, with `more` before it.
llvm::Value* RegionEmitter::has_share(const Detour& detour, std::uint64_t more) {
  return builder_.CreateICmpSGT(
      builder_.CreateSub(budget_, used()),
      builder_.CreateAdd(floor_, builder_.getInt64(detour.cost + more + most_unasked)));
}

// `taken`: lanes that branch; neither none nor all.
void RegionEmitter::take_detour(const Node& node, llvm::Value* taken, const Detour& detour) {
  const Rows::State rows = rows_->state();
  const RowSet dirty = dirty_here_;
  const std::vector<RowSet> live = live_;
  // Lanes that have run long while others could make way for them, and shares end on the way: the loop sees
  // to that. Of a share only one way counted where it was last asked about (analysis/pace.h).
  llvm::Value* const streak = number_in(member_.streak);
  llvm::Value* can = is_brief(streak, detour);
  if (detour.inside.size() > 1 || !detour.heads.empty())
    can = builder_.CreateAnd(can, has_share(detour, cost_of(code_, node)));
  Block* const cannot = block("cannot");
  Block* const go = block("detour");
  builder_.CreateCondBr(can, go, cannot);
  builder_.SetInsertPoint(cannot);
  leave_seldom(node, node.last);
  builder_.SetInsertPoint(go);
  count_end(node);
  detour_.emplace();
  detour_->extra = slot_at_start(builder_.getInt32Ty());
  builder_.CreateStore(builder_.getInt32(0), detour_->extra);
  std::vector<std::uint32_t> places = detour.inside;
  places.push_back(detour.meet);
  for (const std::uint32_t place : places) {
    Pending& pending = detour_->pending[place];
    pending = {slot_at_start(builder_.getInt32Ty()), slot_at_start(builder_.getInt32Ty())};
    builder_.CreateStore(builder_.getInt32(0), pending.lanes);
    builder_.CreateStore(builder_.getInt32(0xffffffffu), pending.streak);
  }
  pend(node.next[0], taken, streak);
  pend(node.next[1], builder_.CreateXor(taken, rows_->mask()), streak);
  if (detour.heads.empty())
    for (std::size_t i = 0; i < detour.inside.size(); ++i) pass(detour, i);
  else
    go_round(detour);
  llvm::Value* const now = number_in(detour_->pending.at(detour.meet).streak);
  builder_.CreateStore(now, member_.streak);
  builder_.CreateStore(now, member_field(offsetof(exec::Member, streak)));
  detour_.reset();
  hand_over(detour.meet);
  builder_.CreateBr(starts_[detour.meet]);
  rows_->restore(rows);
  dirty_here_ = dirty;
  live_ = live;
}

// A block of it, for the lanes that are there.
void RegionEmitter::pass(const Detour& detour, std::size_t place) {
  const std::uint32_t number = detour.inside[place];
  const Node& aside = region_.nodes[number];
  const kernel::Block& block_here = code_.blocks[aside.block];
  const Pending mine = detour_->pending.at(number);
  detour_->pending.erase(number);
  detour_->kept = liveness_.at(region_.nodes[detour.meet].block);
  for (std::size_t later = place + 1; later < detour.inside.size(); ++later)
    detour_->kept.add(liveness_.at(region_.nodes[detour.inside[later]].block));
  // Vectors of what it may change and others may read, as they were; if lanes have that already.
  std::map<std::uint32_t, llvm::Value*> before;
  for (std::uint32_t i = aside.first; i < aside.last; ++i)
    for (const RowUse& use : plans_[block_here.first + i].rows) {
      const std::uint32_t r = row(use);
      if (!use.out || !rows_->tracked(r) || !detour_->kept.has(r)) continue;
      Value& was = rows_->get(r);
      before[r] = was.shape.kind == Shape::Kind::unknown
                      ? llvm::PoisonValue::get(Values::wide(rows_->type(r)))
                      : values_.vector(was);
    }
  const Rows::State rows = rows_->state();
  detour_->lanes = number_in(mine.lanes);
  Block* const here = builder_.GetInsertBlock();
  Block* const some = block("aside");
  Block* const past = block("past");
  builder_.CreateCondBr(builder_.CreateICmpNE(detour_->lanes, builder_.getInt32(0)), some, past);
  builder_.SetInsertPoint(some);
  detour_->streak = number_in(mine.streak);
  detour_->used = used();
  live_ = liveness_.through(aside.block);
  for (std::uint32_t i = aside.first; i < aside.last; ++i) emit_step(aside, i);
  std::map<std::uint32_t, llvm::Value*> after;
  for (const auto& [r, was] : before) after[r] = values_.vector(rows_->get(r));
  if (leads_on(code_, aside)) {
    count_end(aside);
    go_on_from(aside);
  } else {
    leave_at_step(aside, aside.last);
  }
  Block* const end = builder_.GetInsertBlock();
  if (leads_on(code_, aside)) builder_.CreateBr(past);
  builder_.SetInsertPoint(past);
  rows_->restore(rows);
  if (!leads_on(code_, aside)) return;
  for (const auto& [r, was] : before) {
    llvm::PHINode* const both = builder_.CreatePHI(was->getType(), 2);
    both->addIncoming(was, here);
    both->addIncoming(after.at(r), end);
    rows_->set(r, {Shape::vector(), nullptr, nullptr, both});
  }
}

// What the path has run while others could; when it is the only one nobody counts.
llvm::Value* RegionEmitter::streak_now() {
  llvm::Value* const ran =
      builder_.CreateTrunc(builder_.CreateSub(used(), detour_->used), builder_.getInt32Ty());
  llvm::Value* const alone = builder_.CreateICmpEQ(detour_->lanes, rows_->mask());
  return builder_.CreateAdd(number_in(detour_->extra),
                            builder_.CreateSelect(alone, builder_.getInt32(0), ran));
}

// The lanes of the block go on. The loop adds what a path ran to its streak when it looks who goes next:
// where the path splits, and comes to a block that others wait at or before. Who is split off has run
// nothing.
void RegionEmitter::go_on_from(const Node& node) {
  const kernel::Terminator& end = code_.blocks[node.block].end;
  llvm::Value* const none = builder_.getInt32(0);
  llvm::Value* const now = streak_now();
  const auto others_before = [&](std::uint32_t to) {
    llvm::Value* others = none;
    for (const auto& [number, pending] : detour_->pending)
      if (region_.nodes[number].block <= region_.nodes[to].block)
        others = builder_.CreateOr(others, number_in(pending.lanes));
    return builder_.CreateICmpNE(others, none);
  };
  llvm::Value* const added = builder_.CreateAdd(detour_->streak, now);
  if (end.guard == 0) {
    llvm::Value* const picked = others_before(node.next[0]);
    builder_.CreateStore(builder_.CreateSelect(picked, none, now), detour_->extra);
    return pend(node.next[0], detour_->lanes, builder_.CreateSelect(picked, added, detour_->streak));
  }
  llvm::Value* bits = rows_->bits_of(values_.vector(rows_->get(row(guard_row(end.guard)))));
  if (end.negated) bits = builder_.CreateNot(bits);
  llvm::Value* const taken = builder_.CreateAnd(bits, detour_->lanes);
  llvm::Value* const passed = builder_.CreateXor(taken, detour_->lanes);
  llvm::Value* const no_taken = builder_.CreateICmpEQ(taken, none);
  llvm::Value* const split =
      builder_.CreateAnd(builder_.CreateNot(no_taken), builder_.CreateICmpNE(passed, none));
  llvm::Value* const taken_meets = others_before(node.next[0]);
  llvm::Value* const passed_meets = others_before(node.next[1]);
  llvm::Value* const taken_adds = builder_.CreateOr(split, taken_meets);
  llvm::Value* const passed_adds = builder_.CreateAnd(no_taken, passed_meets);
  llvm::Value* const picked = builder_.CreateSelect(no_taken, passed_meets, taken_adds);
  builder_.CreateStore(builder_.CreateSelect(picked, none, now), detour_->extra);
  pend(node.next[0], taken, builder_.CreateSelect(taken_adds, added, detour_->streak));
  pend(node.next[1], passed, builder_.CreateSelect(passed_adds, added, detour_->streak));
}

// Leaves with the lanes of a block on a detour: the others are where they wait.
void RegionEmitter::leave_apart(const exec::Stand& at, std::uint64_t ran) {
  std::uint32_t place = 0;
  const auto tell = [&](std::size_t offset, llvm::Value* value) {
    builder_.CreateStore(value, field(offsetof(Passage, waiting) + place * sizeof(exec::Waiting) + offset));
  };
  for (const auto& [number, pending] : detour_->pending) {
    tell(offsetof(exec::Waiting, block), builder_.getInt32(region_.nodes[number].block));
    tell(offsetof(exec::Waiting, lanes), number_in(pending.lanes));
    tell(offsetof(exec::Waiting, streak), number_in(pending.streak));
    ++place;
  }
  builder_.CreateStore(builder_.getInt32(place), field(offsetof(Passage, places)));
  add_to(ran_, builder_.getInt64(ran));
  builder_.CreateStore(builder_.CreateAdd(detour_->streak, streak_now()),
                       member_field(offsetof(exec::Member, streak)));
  leave(at, {}, 0, how(exec::Left::apart));
}

}  // namespace wedjat::compile
