// Loops whose accesses all go on as they did in the rounds before: once two rounds, one after the other, were
// as expected, and every address is known to be what it was a round before and a number that is the same each
// time, the next round is as expected too. Nothing is asked in it then; what comes next is worked out where
// somebody may look (Expectation::pass_rounds).
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

#include "emulator/compile/emit/region_emitter.h"
#include "utilities/include/wedjat/expected.hpp"

namespace wedjat::compile {

namespace {

constexpr std::int64_t calm_rounds = 2;
constexpr unsigned deepest = 32;

bool is_zero(const llvm::Value* value) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
  return number != nullptr && number->isZero();
}

// Without what adds nothing.
llvm::Value* bare(llvm::Value* value) {
  auto* const sum = llvm::dyn_cast_or_null<llvm::BinaryOperator>(value);
  if (sum == nullptr || sum->getOpcode() != llvm::Instruction::Add) return value;
  for (const unsigned i : {0u, 1u})
    if (is_zero(sum->getOperand(i))) return bare(sum->getOperand(1 - i));
  return value;
}

}  // namespace

// A node that may come after itself, where one tool alone need not be told of accesses.
void RegionEmitter::begin_rounds(std::uint32_t number, std::vector<Value> at_start) {
  even_.reset();
  const Node& node = region_.nodes[number];
  if (watched_.expected.size() != 1 || !llvm::is_contained(node.next, number)) return;
  EvenRounds rounds{.node = number, .blocks = function_->size(), .at_start = std::move(at_start)};
  for (std::uint32_t i = node.first; i < node.last; ++i) {
    if (plans_[number_of(node, i)].kind != StepPlan::Kind::probe) continue;
    const exec::Probe& probe = liveness_.probes()->of(step_of(node, i));
    if (probe.expected.tool == exec::Probe::no_cell) continue;
    if (rounds.count == 0) rounds.first = probe.expected.site;
    if (probe.expected.site != rounds.first + rounds.count++) return;
  }
  if (rounds.count != 0) even_ = std::move(rounds);
}

// An access of a round: where nothing is asked, code goes on at `past`.
void RegionEmitter::pass_if_steady(const exec::Probe& probe, const Value& address, bool is_told,
                                   Block* past) {
  even_->is_sure = even_->is_sure && is_told && probe.guard == 0;
  even_->addresses.push_back(address);
  Block* const steady = block("steady");
  Block* const ask = block("ask");
  branch_mostly(builder_.CreateLoad(builder_.getInt1Ty(), watched_.steady), steady, ask);
  builder_.SetInsertPoint(steady);
  took(probe, builder_.getInt64(0));
  builder_.CreateBr(past);
  builder_.SetInsertPoint(ask);
}

// What the row holds in the end, of whose value at the beginning that is a part; null: it is none.
llvm::Value* RegionEmitter::a_round_later(const llvm::Value* value) {
  if (!llvm::isa<llvm::LoadInst>(value)) return nullptr;
  for (std::uint32_t r = 0; r < even_->at_start.size(); ++r) {
    const Value& before = even_->at_start[r];
    if (before.base != value && before.sy != value) continue;
    if (before.base != nullptr && !before.shape.is_vector() && rows_->get(r).shape.is_affine())
      return before.base == value ? rows_->get(r).base : values_.step_y(rows_->get(r));
  }
  return nullptr;
}

bool RegionEmitter::is_of_round(const llvm::Instruction& instruction) const {
  const Block* const parent = instruction.getParent();
  return parent == starts_[even_->node] ||
         std::any_of(std::next(function_->begin(), static_cast<std::ptrdiff_t>(even_->blocks)),
                     function_->end(), [&](const Block& made) { return &made == parent; });
}

bool RegionEmitter::is_same_each_round(llvm::Value* value, unsigned depth) {
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || !is_of_round(*instruction)) return true;
  // A sum of a sum and itself, and so on, is asked about once.
  if (const auto known = even_->same.find(value); known != even_->same.end()) return known->second;
  bool& same = even_->same[value];
  if (llvm::Value* const later = a_round_later(value))
    same = bare(later) == value;
  else if (depth != deepest && llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction))
    same = llvm::all_of(instruction->operands(),
                        [&](const llvm::Use& use) { return is_same_each_round(use.get(), depth + 1); });
  return same;
}

// Of a sum of one such part and what is the same each round: the part. Null: it is no such sum.
llvm::Value* RegionEmitter::part_that_changes(llvm::Value* value) {
  for (unsigned depth = 0; depth < deepest; ++depth) {
    if (a_round_later(value) != nullptr) return value;
    auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (sum == nullptr) return nullptr;
    const bool adds = sum->getOpcode() == llvm::Instruction::Add;
    if (!adds && sum->getOpcode() != llvm::Instruction::Sub) return nullptr;
    if (is_same_each_round(sum->getOperand(1)))
      value = sum->getOperand(0);
    else if (adds && is_same_each_round(sum->getOperand(0)))
      value = sum->getOperand(1);
    else
      return nullptr;
  }
  return nullptr;
}

bool RegionEmitter::goes_on_evenly(llvm::Value* value) {
  if (is_same_each_round(value)) return true;
  llvm::Value* const part = part_that_changes(value);
  return part != nullptr && part_that_changes(a_round_later(part)) == part;
}

// Behind the last access of a round, where the same node begins again.
void RegionEmitter::begin_next_round() {
  EvenRounds& rounds = *even_;
  rounds.same.clear();
  const bool even = rounds.is_sure && rounds.addresses.size() == rounds.count &&
                    llvm::all_of(rounds.addresses, [&](const Value& address) {
                      return goes_on_evenly(address.base) && is_same_each_round(values_.step_y(address));
                    });
  if (!even) return;
  add_to(watched_.calm, builder_.getInt64(1));
  llvm::Value* const steady =
      builder_.CreateICmpSGE(number_in(watched_.calm), builder_.getInt64(calm_rounds));
  builder_.CreateStore(steady, watched_.steady);
  add_to(watched_.rounds, builder_.CreateZExt(steady, builder_.getInt64Ty()));
  add_to(watched_.expected.begin()->second.left_out,
         builder_.CreateSelect(steady, builder_.getInt64(rounds.count), builder_.getInt64(0)));
}

// Somebody may look, or the loop is left.
void RegionEmitter::end_rounds() {
  if (!even_) return;
  const auto& of = watched_.expected.begin()->second;
  Block* const some = block("rounds");
  Block* const none = block("none");
  builder_.CreateCondBr(builder_.CreateLoad(builder_.getInt1Ty(), watched_.steady), some, none);
  builder_.SetInsertPoint(some);
  watchers_.insert(call_seldom(linked(Link::Kind::pass_rounds),
                               {of.state, builder_.getInt64(even_->first), builder_.getInt64(even_->count),
                                number_in(watched_.rounds), builder_.getInt64(even_->passed)}));
  // They were counted when the round began.
  add_to(of.left_out, builder_.getInt64(even_->passed - even_->count));
  builder_.CreateStore(builder_.getInt64(0), watched_.rounds);
  builder_.CreateStore(builder_.getFalse(), watched_.steady);
  builder_.CreateBr(none);
  builder_.SetInsertPoint(none);
  builder_.CreateStore(builder_.getInt64(0), watched_.calm);
}

}  // namespace wedjat::compile
