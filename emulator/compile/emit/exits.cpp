// Where native code gives the path back to the loop.
#include <cstddef>
#include <cstring>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

llvm::Value* RegionEmitter::stand(const exec::Stand& at, std::optional<std::uint32_t> offer) {
  std::uint32_t words[sizeof at / sizeof(std::uint32_t)];
  std::memcpy(words, &at, sizeof at);
  llvm::Value* all = llvm::ConstantDataVector::get(module_.getContext(), words);
  if (offer) {
    llvm::Value* const number =
        builder_.CreateTrunc(number_linked(Link::Kind::offer, *offer), builder_.getInt32Ty());
    all =
        builder_.CreateInsertElement(all, number, offsetof(exec::Stand, certificate) / sizeof(std::uint32_t));
  }
  return all;
}

void RegionEmitter::write_stand(const exec::Stand& at, std::optional<std::uint32_t> offer) {
  builder_.CreateAlignedStore(stand(at, offer), member_field(offsetof(exec::Member, at)), llvm::Align(8));
}

// Leaves in the middle: `ran` steps more than counted.
void RegionEmitter::leave(const exec::Stand& at, std::optional<std::uint32_t> offer, std::uint64_t ran,
                          llvm::Value* left) {
  write_stand(at, offer);
  add_to(ran_, builder_.getInt64(ran));
  write_expected();
  write_totals();
  builder_.CreateRet(left);
}

// Tells code that begins at the place what the rows hold that live there, but for those that a step writes
// on the way.
std::optional<std::uint32_t> RegionEmitter::certify(std::uint32_t to_block, std::uint32_t step,
                                                    const RowSet& live, const kernel::Step* done) {
  if (!request_.full()) return std::nullopt;
  Certificates::Shapes shapes;
  live.for_each([&](std::uint32_t r) {
    if (rows_->tracked(r) && rows_->get(r).shape.is_affine())
      shapes[liveness_.offset(r)] = rows_->get(r).shape;
  });
  if (done != nullptr)
    for (const RowUse& use : liveness_.rows_of(*done))
      if (use.out) shapes.erase(use.offset);
  offers_.push_back({{request_.function, to_block, step}, std::move(shapes)});
  return static_cast<std::uint32_t>(offers_.size() - 1);
}

// Before a step of a node, whose earlier steps have run; but behind it if it is a barrier that code knows.
void RegionEmitter::leave_at_step(const Node& node, std::uint32_t step) {
  stop_in_warp();
  dirty_here_.for_each([&](std::uint32_t r) {
    const bool waited_for =
        detour_ && detour_->kept.has(r) && rows_->get(r).shape.kind != Shape::Kind::unknown;
    if (live_[step].has(r) || waited_for) rows_->spill_aside(r);
  });
  const std::uint64_t ran = steps_in(code_, node.block, node.first, step);
  if (detour_) return leave_apart({.block = node.block, .step = step}, ran);
  const kernel::Block& here = code_.blocks[node.block];
  std::optional<std::uint32_t> offer;
  if (step != here.count)
    if (const kernel::Step& next = code_.steps[here.first + step];
        next.guard == 0 && (next.flags & kernel::step_flag::barrier))
      offer = certify(node.block, step + 1, live_[step + 1], &next);
  if (const auto barrier = barrier_at(node, step)) {
    const exec::Stand behind{.block = node.block,
                             .step = step + 1,
                             .left = exec::Left::at_barrier,
                             .barrier = static_cast<std::uint8_t>(*barrier)};
    write_stand(behind, offer);
    add_to(ran_, builder_.getInt64(ran + 1));
    const std::uint64_t place = come(member_.came);
    if (step == node.last) member_.arrivals[number_of(node)] = {behind, offer, place};
    return;
  }
  leave({.block = node.block, .step = step}, offer, ran, how(exec::Left::at_step));
}

void RegionEmitter::leave_at_block(std::uint32_t to) {
  const RowSet& live = liveness_.at(to);
  dirty_here_.for_each([&](std::uint32_t r) {
    if (live.has(r)) rows_->spill_aside(r);
  });
  leave({.block = to}, certify(to, 0, live, nullptr), 0, how(exec::Left::at_block));
}

// Leaves at the start of a node if the share could be over, by the loop's count, before anybody asks again.
void RegionEmitter::ask(std::uint32_t number) {
  const Node& node = region_.nodes[number];
  llvm::Value* const ran = number_in(ran_);
  llvm::Value* const left = builder_.CreateSub(budget_, builder_.CreateAdd(ran, number_in(cost_)));
  const auto spent = static_cast<std::int64_t>(*pace_[number]);
  Block* const stop = block("stop");
  Block* const go = block("go");
  branch_mostly(builder_.CreateICmpSGT(left, builder_.CreateAdd(floor_, builder_.getInt64(spent))), go, stop);
  builder_.SetInsertPoint(stop);
  stop_in_warp();
  dirty_here_.for_each([&](std::uint32_t r) {
    if (live_[node.first].has(r)) rows_->spill_aside(r);
  });
  // It is over where the loop would have stopped; before that the loop goes on, a block at a time.
  llvm::Value* const over = builder_.CreateAnd(builder_.CreateICmpSLE(left, floor_),
                                               builder_.CreateICmpNE(ran, builder_.getInt64(0)));
  leave({.block = node.block, .step = node.first}, {}, 0,
        builder_.CreateSelect(over, how(exec::Left::at_block), how(exec::Left::at_step)));
  builder_.SetInsertPoint(go);
}

}  // namespace wedjat::compile
