// Warps that have nothing to do between two barriers: most of those of a reduction, whose branch leads all
// their lanes to the next barrier at once. They are told and counted in a few instructions each.
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

namespace {

constexpr std::uint32_t most_steps = 8;  // what they do may be done twice: by those that do not pass by

}  // namespace

// The way by which a path may leave the entry's block for a barrier or its end without doing anything.
std::optional<RegionEmitter::PassingBy> RegionEmitter::passing_by() const {
  const Node& first = region_.nodes.front();
  if (!request_.full() || first.outside || !first.ends(code_) || first.last - first.first > most_steps)
    return std::nullopt;
  const kernel::Terminator& end = code_.blocks[first.block].end;
  if (end.kind != kernel::End::Branch || end.guard == 0) return std::nullopt;
  RowSet written(liveness_.rows());
  for (std::uint32_t i = first.first; i < first.last; ++i) {
    const StepPlan& plan = plans_[number_of(first, i)];
    if (plan.kind != StepPlan::Kind::compute) return std::nullopt;
    for (const RowUse& use : plan.rows)
      if (use.out) written.add(row(use));
  }
  for (std::size_t way = 0; way < first.next.size(); ++way) {
    PassingBy result{.way = way,
                     .steps = steps_in(code_, first.block, first.first, first.last) + 1,
                     .instructions = code_.blocks[first.block].instructions,
                     .arrival = {}};
    // Through blocks that are empty.
    std::uint32_t number = first.next[way];
    const auto goes_on = [&] {
      const Node& node = region_.nodes[number];
      return node.first == node.last && node.ends(code_) &&
             code_.blocks[node.block].end.kind == kernel::End::Fall;
    };
    for (std::size_t passed = 0; goes_on() && passed < region_.nodes.size(); ++passed) {
      ++result.steps;
      result.instructions += code_.blocks[region_.nodes[number].block].instructions;
      number = region_.nodes[number].next.front();
    }
    const Node& last = region_.nodes[number];
    const auto found = member_.arrivals.find(number);
    if (last.first != last.last || found == member_.arrivals.end()) continue;
    ++result.steps;
    if (found->second.at.left == exec::Left::ended)
      result.instructions += code_.blocks[last.block].instructions;
    result.arrival = found->second;
    bool kept = false;
    const RowSet live = liveness_.through(last.block)[last.first];
    written.for_each([&](std::uint32_t r) { kept |= live.has(r); });
    if (!kept) return result;
  }
  return std::nullopt;
}

// At `begin` another path is to go, which is not the first: as far as such paths follow each other.
void RegionEmitter::pass_by(const PassingBy& idle, const Ending& ending, Block* begin) {
  const Node& first = region_.nodes.front();
  Block* const look = block("look");
  builder_.SetInsertPoint(begin);
  const Others all = others();
  llvm::Value* const asked = builder_.CreateAdd(floor_, builder_.getInt64(pace_.front().value_or(0)));
  builder_.CreateCondBr(builder_.CreateICmpSGT(all.share, asked), look, member_.begin);
  builder_.SetInsertPoint(look);
  member_.now = number_in(member_.next);
  member_.aside = member_.begin;
  rows_->set_frame(builder_.CreateLoad(builder_.getPtrTy(), member_field(offsetof(exec::Member, rows))));
  load_entry(member_.begin);
  live_ = liveness_.through(first.block);
  for (std::uint32_t i = first.first; i < first.last; ++i) emit_step(first, i);
  const kernel::Terminator& end = code_.blocks[first.block].end;
  const Value& guard = rows_->get(row(guard_row(end.guard)));
  const bool wants_all = (idle.way == 0) != end.negated;
  llvm::Value* passes = builder_.getFalse();
  if (guard.shape.is_uniform())
    passes = wants_all ? guard.base : builder_.CreateNot(guard.base);
  else if (guard.all != nullptr)
    passes = wants_all ? guard.all : guard.none;
  Block* const pass = block("passes");
  builder_.CreateCondBr(passes, pass, member_.begin);
  builder_.SetInsertPoint(pass);
  budget_ = all.share;
  builder_.CreateStore(builder_.getInt64(idle.steps), ran_);
  builder_.CreateStore(builder_.getInt64(0), cost_);
  add_to(total_.instructions, builder_.getInt64(idle.instructions));
  add_place(idle.arrival.place);
  if (idle.arrival.at.left == exec::Left::at_barrier) write_stand(idle.arrival.at, idle.arrival.offer);
  end_member(ending, all, look);
  member_.aside = nullptr;
}

}  // namespace wedjat::compile
