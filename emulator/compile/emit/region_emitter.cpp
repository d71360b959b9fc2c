#include "emulator/compile/emit/region_emitter.h"

#include <cstddef>

namespace wedjat::compile {

using exec::Passage;

RegionEmitter::RegionEmitter(const Request& request, const Region& region, const Liveness& liveness,
                             LaneLibrary& lanes, const Target& target, llvm::Module& module)
    : request_(request),
      region_(region),
      liveness_(liveness),
      code_(request.code()),
      target_(target),
      module_(module),
      builder_(module.getContext()),
      values_(builder_, request.width),
      bytes_(row_bytes(code_, liveness)),
      plans_(code_.steps.size()),
      pace_(pace_of(code_, region)),
      written_(liveness.rows()),
      wanted_(liveness.rows()),
      guessed_(liveness.rows()),
      dirty_here_(liveness.rows()) {
  for (const Node& node : region.nodes)
    for (std::uint32_t i = node.first; i < node.last; ++i) {
      const std::uint32_t step = number_of(node, i);
      plans_[step] = plan_of(code_.steps[step], bytes_, liveness, lanes, request.host);
    }
  entry_ = shapes_at_entry(lanes);
  find_wanted();
  before_ = shapes_in(request, region, liveness, plans_, entry_, meetings());
  find_written();
}

void RegionEmitter::find_written() {
  std::vector<RowSet> own(region_.nodes.size(), RowSet(liveness_.rows()));
  for (std::size_t n = 0; n < own.size(); ++n) {
    const Node& node = region_.nodes[n];
    for (std::uint32_t i = node.first; i < node.last; ++i)
      for (const RowUse& use : plans_[number_of(node, i)].rows)
        if (use.out && bytes_[row(use)] != untracked) own[n].add(row(use));
    written_.add(own[n]);
  }
  dirty_.assign(own.size(), RowSet(liveness_.rows()));
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t n = 0; n < own.size(); ++n) {
      RowSet after = dirty_[n];
      after.add(own[n]);
      for (const std::uint32_t next : region_.nodes[n].next) grown |= dirty_[next].add(after);
    }
  }
}

void RegionEmitter::emit(const std::string& name) {
  auto* const type = llvm::FunctionType::get(builder_.getInt8Ty(), {builder_.getPtrTy()}, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
  function_->setUWTableKind(llvm::UWTableKind::Async);
  function_->addFnAttr(llvm::Attribute::NoRedZone);
  // So ways that are seldom taken count as such: what only they need is not made before loops.
  function_->setEntryCount(1);
  count_places();
  begin();
  for (std::uint32_t number = 0; number < region_.nodes.size(); ++number) emit_node(number);
  even_.reset();
  request_.sweep ? end_warp() : end_members();
  tell_own_memory(false);
  inline_functions();
  tell_own_memory(true);
}

void RegionEmitter::begin() {
  Block* const start = block("start");
  builder_.SetInsertPoint(start);
  passage_ = function_->getArg(0);
  const auto slot = [&](llvm::Type* type) { return builder_.CreateAlloca(type); };
  slots_.resize(liveness_.rows());
  written_.for_each([&](std::uint32_t r) {
    llvm::Type* const type = builder_.getIntNTy(bytes_[r] == 0 ? 1 : 8 * bytes_[r]);
    slots_[r] = {slot(type), slot(type), slot(Values::wide(type))};
  });
  const auto counter = [&](llvm::Value* first) {
    llvm::AllocaInst* const made = slot(builder_.getInt64Ty());
    builder_.CreateStore(first, made);
    return made;
  };
  const auto told = [&](std::size_t offset) { return counter(load_field(builder_.getInt64Ty(), offset)); };
  ran_ = counter(builder_.getInt64(0));
  cost_ = counter(builder_.getInt64(0));
  total_ = {.steps = told(offsetof(Passage, steps)),
            .used = told(offsetof(Passage, used)),
            .instructions = told(offsetof(Passage, instructions)),
            .missing = told(offsetof(Passage, missing))};
  recent_ = load_field(builder_.getPtrTy(), offsetof(Passage, recent));
  floor_ = load_field(builder_.getInt64Ty(), offsetof(Passage, floor));
  member_.streak = slot(builder_.getInt32Ty());
  shared_host_ = load_field(builder_.getInt64Ty(), offsetof(Passage, shared_host));
  shared_bytes_ = load_field(builder_.getInt64Ty(), offsetof(Passage, shared_bytes));
  shared_address_ = load_field(builder_.getInt64Ty(), offsetof(Passage, shared_address));
  llvm::Value* const mask = request_.full() ? builder_.getInt32(request_.lanes)
                                            : load_field(builder_.getInt32Ty(), offsetof(Passage, mask));
  llvm::Value* const lane =
      request_.paths == exec::PathKind::one
          ? builder_.CreateIntrinsic(builder_.getInt32Ty(), llvm::Intrinsic::cttz, {mask, builder_.getTrue()})
          : nullptr;
  rows_.emplace(builder_, values_, liveness_, bytes_, mask, lane);
  for (std::size_t i = 0; i < region_.nodes.size(); ++i) starts_.push_back(block("node"));
  request_.sweep ? begin_sweep() : begin_members();
}

// What the node will find: rows that something writes go through slots.
void RegionEmitter::hand_over(std::uint32_t number) {
  const RowSet live = number == 0 ? liveness_.through(region_.nodes[0].block)[region_.nodes[0].first]
                                  : liveness_.at(region_.nodes[number].block);
  written_.for_each([&](std::uint32_t r) {
    if (!live.has(r)) return;
    Value& now = rows_->get(r);
    if (now.shape.kind == Shape::Kind::unknown) return;
    const Value given = values_.reshaped(now, before_[number][r]);
    if (given.vector != nullptr && given.shape.is_vector())
      builder_.CreateStore(given.vector, slots_[r].vector);
    if (!given.shape.is_vector()) builder_.CreateStore(given.base, slots_[r].base);
    if (given.sy != nullptr) builder_.CreateStore(given.sy, slots_[r].sy);
  });
}

std::vector<Value> RegionEmitter::values_at(std::uint32_t number) {
  std::vector<Value> values = constants_;
  const Node& node = region_.nodes[number];
  const RowSet& live = live_[node.first];
  written_.for_each([&](std::uint32_t r) {
    values[r] = {};
    if (!live.has(r)) return;
    const Shape& shape = before_[number][r];
    llvm::Type* const type = rows_->type(r);
    if (shape.is_vector()) {
      values[r] = {shape, nullptr, nullptr, builder_.CreateLoad(Values::wide(type), slots_[r].vector)};
    } else if (shape.constant) {
      values[r] = values_.constant(type, *shape.constant);
    } else {
      values[r] = {shape, builder_.CreateLoad(type, slots_[r].base), nullptr, nullptr};
      if (!shape.sy) values[r].sy = builder_.CreateLoad(type, slots_[r].sy);
    }
  });
  // Vectors of what nothing writes are made where they are needed: one made on another way is not there.
  for (Value& value : values)
    if (value.shape.is_affine()) value.vector = nullptr;
  return values;
}

void RegionEmitter::emit_node(std::uint32_t number) {
  const Node& node = region_.nodes[number];
  builder_.SetInsertPoint(starts_[number]);
  live_ = liveness_.through(node.block);
  dirty_here_ = dirty_[number];
  std::vector<Value> at_start = values_at(number);
  rows_->begin(at_start);
  begin_rounds(number, std::move(at_start));
  if (node.outside) return leave_at_block(node.block);
  if (pace_[number]) ask(number);
  for (std::uint32_t i = node.first; i < node.last; ++i) emit_step(node, i);
  if (!node.ends(code_)) return leave_at_step(node, node.last);
  const kernel::Terminator& end = code_.blocks[node.block].end;
  if (ends_path(end)) {
    count_end(node);
    if (request_.sweep) return void(builder_.CreateBr(member_.ended));
    member_.arrivals[number] = {{.left = exec::Left::ended}, {}, come(member_.ended)};
    return;
  }
  switch (end.kind) {
    case kernel::End::Fall:
      count_end(node);
      return leave_node(node, 0);
    case kernel::End::Branch:
      return branch(node, end);
    case kernel::End::IndexedBranch:
      return switch_indexed(node, end);
    case kernel::End::Call:
    case kernel::End::Return:
    case kernel::End::Exit:
    case kernel::End::Trap:
      return leave_at_step(node, node.last);
  }
}

void RegionEmitter::count_end(const Node& node) {
  add_to(ran_, builder_.getInt64(steps_in(code_, node.block, node.first, node.last) + 1));
  const std::uint64_t instructions = code_.blocks[node.block].instructions;
  add_to(total_.instructions, builder_.getInt64(instructions));
  if (!detour_) return;
  llvm::Value* const away = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop,
                                                          builder_.CreateXor(detour_->lanes, rows_->mask()));
  add_to(total_.missing, builder_.CreateMul(builder_.CreateZExt(away, builder_.getInt64Ty()),
                                            builder_.getInt64(instructions)));
}

void RegionEmitter::branch(const Node& node, const kernel::Terminator& end) {
  if (end.guard == 0) {
    count_end(node);
    return leave_node(node, 0);
  }
  Value& guard = rows_->get(row(guard_row(end.guard)));
  Block* const taken = block("taken");
  Block* const passed = block("passed");
  if (guard.shape.is_uniform()) {
    builder_.CreateCondBr(end.negated ? builder_.CreateNot(guard.base) : guard.base, taken, passed);
  } else {
    if (guard.all != nullptr) {
      Block* const not_all = block("not_all");
      Block* const look = block("look");
      builder_.CreateCondBr(end.negated ? guard.none : guard.all, taken, not_all);
      builder_.SetInsertPoint(not_all);
      builder_.CreateCondBr(end.negated ? guard.all : guard.none, passed, look);
      builder_.SetInsertPoint(look);
    }
    llvm::Value* bits = rows_->bits_of(values_.vector(guard));
    if (end.negated) bits = builder_.CreateNot(bits);
    bits = builder_.CreateAnd(bits, rows_->mask());
    Block* const some = block("some");
    Block* const parted = block("parted");
    builder_.CreateCondBr(builder_.CreateICmpEQ(bits, rows_->mask()), taken, some);
    builder_.SetInsertPoint(some);
    builder_.CreateCondBr(builder_.CreateICmpEQ(bits, builder_.getInt32(0)), passed, parted);
    builder_.SetInsertPoint(parted);
    end_rounds();
    if (const auto detour = detour_at(node))
      take_detour(node, bits, *detour);
    else
      leave_at_step(node, node.last);
  }
  builder_.SetInsertPoint(taken);
  count_end(node);
  leave_node(node, 0);
  builder_.SetInsertPoint(passed);
  count_end(node);
  leave_node(node, 1);
}

void RegionEmitter::switch_indexed(const Node& node, const kernel::Terminator& end) {
  Value& index = rows_->get(row(end.row));
  if (end.guard != 0 || !index.shape.is_uniform()) return leave_at_step(node, node.last);
  Block* const beyond = block("beyond");
  llvm::SwitchInst* const choice = builder_.CreateSwitch(index.base, beyond);
  for (std::uint32_t i = 0; i < end.targets.size(); ++i) {
    Block* const chosen = block("chosen");
    choice->addCase(builder_.getInt32(i), chosen);
    builder_.SetInsertPoint(chosen);
    count_end(node);
    leave_node(node, i);
  }
  builder_.SetInsertPoint(beyond);
  leave_at_step(node, node.last);
}

void RegionEmitter::leave_node(const Node& node, std::size_t successor) {
  const std::uint32_t next = node.next[successor];
  if (even_ && even_->node == next)
    begin_next_round();
  else
    end_rounds();
  hand_over(next);
  builder_.CreateBr(starts_[next]);
}

}  // namespace wedjat::compile
