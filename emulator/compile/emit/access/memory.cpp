// Loads, stores and updates of plain memory: one check of bounds for all lanes where their addresses are
// known to lie together; whatever is not simple goes to the executor.
#include <bit>
#include <cstddef>

#include "emulator/compile/emit/region_emitter.h"
#include "emulator/exec/cta/costs.h"
#include "emulator/exec/warp/sweep.h"

namespace wedjat::compile {

namespace {

using exec::Recent;
using kernel::Space;

}  // namespace

// Of exec::Recent of the step.
llvm::Value* RegionEmitter::recent_of(const kernel::Step& step, llvm::Type* type, std::size_t offset) {
  return load_at(type, recent_, step.id * sizeof(Recent) + offset);
}

// The allocation that it reached last.
RegionEmitter::Near RegionEmitter::found_by(const kernel::Step& step) {
  constexpr std::size_t extent = offsetof(Recent, extent);
  llvm::Type* const number = builder_.getInt64Ty();
  Near near{};
  near.low = recent_of(step, number, extent + offsetof(memory::Extent, address));
  near.size = recent_of(step, number, extent + offsetof(memory::Extent, size));
  near.base = builder_.CreateSub(recent_of(step, number, extent + offsetof(memory::Extent, host)), near.low);
  near.noted = builder_.CreateICmpNE(recent_of(step, builder_.getInt8Ty(), offsetof(Recent, noted)),
                                     builder_.getInt8(0));
  return near;
}

RegionEmitter::Near RegionEmitter::near_of(const kernel::Step& step, const StepPlan& plan) {
  if (plan.is_local()) return {builder_.getInt64(0), local_.bytes, local_.host, nullptr};
  if (plan.space == Space::Shared) return {shared_address_, shared_bytes_, shared_host_, nullptr};
  if (const auto known = sweep_.known.find(step.id); known != sweep_.known.end()) return known->second;
  if (const auto known = sweep_.nears.find(step.id); known != sweep_.nears.end()) {
    const NearSlots& kept = known->second;
    return {number_in(kept.low), number_in(kept.size), number_in(kept.base), number_in(kept.noted)};
  }
  return found_by(step);
}

// Finds the host addresses of all lanes: as runs, or one for each. Gives what
// must hold for them to be good.
RegionEmitter::Reached RegionEmitter::reach(const kernel::Step& step, const StepPlan& plan, const Near& near,
                                            Value& address, bool apart) {
  const std::uint64_t bytes = plan.bytes;
  Reached reached;
  const auto require = [&](llvm::Value* also) {
    reached.good = reached.good == nullptr ? also : builder_.CreateAnd(reached.good, also);
  };
  // So many places from the lowest on have that many bytes behind them.
  const auto places = [&](std::uint64_t total) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, near.size, builder_.getInt64(total - 1));
  };
  const auto add_run = [&](llvm::Value* first, unsigned lane, unsigned count, bool spread) {
    const std::uint64_t total = spread ? bytes : bytes * count;
    llvm::Value* const from_low = builder_.CreateSub(first, near.low);
    require(builder_.CreateICmpULT(from_low, places(total)));
    if (bytes > 1)
      require(builder_.CreateICmpEQ(builder_.CreateAnd(first, builder_.getInt64(bytes - 1)),
                                    builder_.getInt64(0)));
    reached.runs.push_back({builder_.CreateAdd(near.base, first), lane, count, spread});
  };
  const auto step_x = static_cast<std::uint64_t>(address.shape.sx);
  const unsigned width = values_.width();
  // Those that are not there have no places.
  const unsigned lanes = request_.full() ? static_cast<unsigned>(std::bit_width(request_.lanes)) : warp_lanes;
  if (!apart && address.shape.is_uniform()) {
    add_run(address.base, 0, warp_lanes, true);
    return reached;
  }
  if (!apart && address.shape.is_affine() && (step_x == bytes || step_x == 0)) {
    for (unsigned lane = 0; lane < lanes; lane += width) {
      llvm::Value* first = address.base;
      if (lane != 0)
        first = builder_.CreateAdd(
            first, builder_.CreateMul(values_.step_y(address), builder_.getInt64(lane / width)));
      add_run(first, lane, std::min(width, lanes - lane), step_x == 0);
    }
    return reached;
  }
  if (reached.spread = strides_of(step, plan, address); reached.spread) {
    reach_strides(step, plan, near, address, reached);
    return reached;
  }
  // One for each lane. Lanes that do nothing may have any address.
  Value copy = address;
  llvm::Value* const all = values_.vector(copy);
  const auto splat = [&](llvm::Value* one) { return builder_.CreateVectorSplat(warp_lanes, one); };
  llvm::Value* at = builder_.CreateAdd(all, splat(near.base));
  if (plan.is_local()) at = builder_.CreateAdd(at, local_.lanes);
  reached.hosts = builder_.CreateIntToPtr(at, Values::wide(builder_.getPtrTy()));
  if (!whole(step))
    reached.harmless = builder_.CreateIntToPtr(builder_.CreateAdd(near.base, near.low), builder_.getPtrTy());
  if (plan.is_local() && address.shape.is_uniform()) {
    require(builder_.CreateICmpULT(address.base, places(bytes)));
    require(builder_.CreateICmpEQ(builder_.CreateAnd(address.base, builder_.getInt64(bytes - 1)),
                                  builder_.getInt64(0)));
    return reached;
  }
  llvm::Value* fits = builder_.CreateICmpULT(builder_.CreateSub(all, splat(near.low)), splat(places(bytes)));
  if (bytes > 1) {
    llvm::Value* const low_bits = builder_.CreateAnd(all, splat(builder_.getInt64(bytes - 1)));
    fits = builder_.CreateAnd(
        fits, builder_.CreateICmpEQ(low_bits, llvm::Constant::getNullValue(low_bits->getType())));
  }
  llvm::Value* const lacking = builder_.CreateAnd(builder_.CreateNot(rows_->bits_of(fits)), active(step));
  require(builder_.CreateICmpEQ(lacking, builder_.getInt32(0)));
  if (near.noted != nullptr) require(builder_.CreateNot(near.noted));
  return reached;
}

std::vector<Value> RegionEmitter::read(const kernel::Step& step, const StepPlan& plan, const Reached& reached,
                                       llvm::Value* mask, bool one_place) {
  const auto count = static_cast<unsigned>(plan.data.size());
  llvm::Type* const type = rows_->type(row(plan.data.front()));
  const llvm::Align align(plan.data.front().bytes);
  std::vector<Value> values(count);
  const auto pointer_to = [&](llvm::Value* host, unsigned element) {
    return builder_.CreateConstInBoundsGEP1_64(type, builder_.CreateIntToPtr(host, builder_.getPtrTy()),
                                               element);
  };
  const std::vector<Run>& runs = reached.runs;
  for (unsigned e = 0; e < count; ++e) {
    Value& value = values[e];
    value.shape = one_place ? Shape::uniform() : Shape::vector();
    if (one_place) {
      value.base = builder_.CreateAlignedLoad(type, pointer_to(runs.front().host, e), align);
    } else if (reached.spread && certain(step)) {
      value.vector = read_strides(type, *reached.spread, std::uint64_t{e} * plan.data.front().bytes);
    }
  }
  if (!one_place && reached.hosts != nullptr && !(reached.spread && certain(step)))
    for (unsigned e = 0; llvm::Value* const all : gather(plan, reached, mask)) values[e++].vector = all;
  if (one_place || reached.hosts != nullptr) return values;
  // Runs of lanes side by side.
  const bool ahead = plan.space != Space::Shared && !plan.is_local() && reads_once();
  for (const Run& run : runs) {
    if (ahead && !run.spread) ask_ahead(run.host, run.count * plan.bytes);
    const auto wide = [&](unsigned n) { return llvm::FixedVectorType::get(type, n); };
    llvm::Value* block_of_lanes = nullptr;
    if (!run.spread)
      block_of_lanes = builder_.CreateAlignedLoad(wide(run.count * count), pointer_to(run.host, 0), align);
    for (unsigned e = 0; e < count; ++e) {
      llvm::Value* part;
      if (run.spread) {
        part = builder_.CreateVectorSplat(run.count,
                                          builder_.CreateAlignedLoad(type, pointer_to(run.host, e), align));
      } else if (count == 1) {
        part = block_of_lanes;
      } else {
        llvm::SmallVector<int, warp_lanes> picks;
        for (unsigned lane = 0; lane < run.count; ++lane) picks.push_back(static_cast<int>(lane * count + e));
        part = builder_.CreateShuffleVector(block_of_lanes, picks);
      }
      Value& value = values[e];
      if (run.count == warp_lanes) {
        value.vector = part;
        continue;
      }
      // Into its place among the lanes.
      llvm::SmallVector<int, warp_lanes> spread(warp_lanes, -1), both(warp_lanes);
      for (unsigned lane = 0; lane < run.count; ++lane) spread[run.first + lane] = static_cast<int>(lane);
      llvm::Value* const placed = builder_.CreateShuffleVector(part, spread);
      for (unsigned lane = 0; lane < warp_lanes; ++lane)
        both[lane] =
            static_cast<int>(lane >= run.first && lane < run.first + run.count ? warp_lanes + lane : lane);
      value.vector =
          value.vector == nullptr ? placed : builder_.CreateShuffleVector(value.vector, placed, both);
    }
  }
  return values;
}

// Whether lanes that store have to be asked one by one which of them wins: their places are neither side by
// side nor one place that gets one number.
bool RegionEmitter::stores_apart(const StepPlan& plan, const Value& address) {
  if (address.shape.is_uniform()) {
    for (const RowUse& use : plan.data)
      if (!rows_->get(row(use)).shape.is_uniform()) return true;
    return false;
  }
  return !address.shape.is_affine() || address.shape.sx != plan.bytes;
}

void RegionEmitter::write(const kernel::Step& step, const StepPlan& plan, const Reached& reached,
                          llvm::Value* mask) {
  const auto count = static_cast<unsigned>(plan.data.size());
  llvm::Type* const type = rows_->type(row(plan.data.front()));
  const llvm::Align align(plan.data.front().bytes);
  const auto pointer_to = [&](llvm::Value* host) {
    return builder_.CreateIntToPtr(host, builder_.getPtrTy());
  };
  const auto all_of = [&](const RowUse& use) {
    Value copy = rows_->get(row(use));
    return values_.vector(copy);
  };
  // Lanes that go together, of which the lowest one wins: exec::detail::together.
  const unsigned together = plan.bytes <= 4 ? warp_lanes : 128 / plan.bytes;
  if (reached.spread && certain(step) && plan.data.front().bytes == 8) {
    for (unsigned e = 0; e < count; ++e) write_strides(all_of(plan.data[e]), *reached.spread, 8 * e);
    return;
  }
  if (reached.hosts != nullptr) {
    // The last that writes wins, where lanes can meet.
    const bool meet = !plan.is_local() && !reached.spread;
    llvm::SmallVector<int, warp_lanes> order;
    for (unsigned first = 0; meet && first < warp_lanes; first += together)
      for (unsigned lane = first + together; lane-- > first;) order.push_back(static_cast<int>(lane));
    const auto in_order = [&](llvm::Value* all) {
      return meet ? builder_.CreateShuffleVector(all, order) : all;
    };
    llvm::Value* const places = in_order(reached.hosts);
    llvm::Value* const who = in_order(rows_->lanes_of(mask));
    for (unsigned e = 0; e < count; ++e)
      builder_.CreateMaskedScatter(in_order(all_of(plan.data[e])),
                                   builder_.CreateGEP(type, places, builder_.getInt64(e)), align, who);
    return;
  }
  const std::vector<Run>& runs = reached.runs;
  if (runs.front().spread && runs.front().count == warp_lanes) {
    for (unsigned e = 0; e < count; ++e)
      builder_.CreateAlignedStore(rows_->get(row(plan.data[e])).base,
                                  builder_.CreateConstInBoundsGEP1_64(type, pointer_to(runs.front().host), e),
                                  align);
    return;
  }
  const unsigned at_once = std::max(together / runs.front().count, 1u);
  std::vector<Run> order;
  for (unsigned first = 0; first < runs.size(); first += at_once)
    for (unsigned i = std::min<unsigned>(first + at_once, runs.size()); i-- > first;)
      order.push_back(runs[i]);
  for (const Run& run : order) {
    llvm::SmallVector<llvm::Value*, 4> parts;
    llvm::SmallVector<int, warp_lanes> mine;
    for (unsigned lane = 0; lane < run.count; ++lane) mine.push_back(static_cast<int>(run.first + lane));
    for (const RowUse& use : plan.data)
      parts.push_back(run.count == warp_lanes ? all_of(use)
                                              : builder_.CreateShuffleVector(all_of(use), mine));
    llvm::Value* bits = rows_->lanes_of(mask);
    if (run.count != warp_lanes) bits = builder_.CreateShuffleVector(bits, mine);
    // Vectors of two or four: lane after lane.
    for (unsigned joined = 1; joined < count; joined *= 2) {
      const auto half = static_cast<unsigned>(parts.size() / 2);
      for (unsigned pair = 0; pair < half; ++pair) {
        llvm::SmallVector<int, 4 * warp_lanes> woven;
        for (unsigned at = 0; at < run.count * joined; ++at) {
          woven.push_back(static_cast<int>(at));
          woven.push_back(static_cast<int>(run.count * joined + at));
        }
        parts[pair] = builder_.CreateShuffleVector(parts[pair], parts[pair + half], woven);
      }
      parts.resize(half);
    }
    if (count > 1) {
      llvm::SmallVector<int, 4 * warp_lanes> each;
      for (unsigned at = 0; at < run.count * count; ++at) each.push_back(static_cast<int>(at / count));
      bits = builder_.CreateShuffleVector(bits, each);
    }
    if (certain(step))
      builder_.CreateAlignedStore(parts.front(), pointer_to(run.host), align);
    else
      builder_.CreateMaskedStore(parts.front(), pointer_to(run.host), align, bits);
  }
}

// Tells who wants to know what is touched.
void RegionEmitter::note(const kernel::Step& step, const StepPlan& plan, const Near& near, Value& address,
                         const std::vector<Run>& runs) {
  if (near.noted == nullptr || runs.empty()) return;
  Block* const tell = block("tell");
  Block* const told = block("told");
  branch_mostly(builder_.CreateNot(near.noted), told, tell);
  builder_.SetInsertPoint(tell);
  const std::uint64_t bytes = plan.bytes;
  const exec::Use use = plan.kind == StepPlan::Kind::load ? exec::Use::read : exec::Use::write;
  for (const Run& run : runs) {
    llvm::Value* first = address.base;
    if (run.first != 0)
      first = builder_.CreateAdd(
          first, builder_.CreateMul(values_.step_y(address), builder_.getInt64(run.first / values_.width())));
    const std::uint64_t all = run.spread ? bytes : bytes * run.count;
    if (request_.sweep && sweep_.runs.size() < exec::Sweep::most_runs)
      note_run(step, use, first, all);
    else
      call_seldom(linked(Link::Kind::note_range),
                  {warp_, address_of(step), builder_.getInt8(static_cast<std::uint8_t>(use)), first,
                   builder_.getInt64(all)});
  }
  builder_.CreateBr(told);
  builder_.SetInsertPoint(told);
}

// As its executor does it; gives what comes from memory.
std::vector<Value> RegionEmitter::access_slowly(const kernel::Step& step, const StepPlan& plan,
                                                llvm::Value* mask, bool one_place) {
  for (const RowUse& use : plan.rows)
    if ((use.in || step.guard != 0) && rows_->get(row(use)).shape.kind != Shape::Kind::unknown)
      rows_->spill_aside(row(use));
  write_expected();
  call_seldom(executor_of(step, mask), {warp_, address_of(step), mask});
  std::vector<Value> values;
  if (plan.kind == StepPlan::Kind::store) return values;
  llvm::Value* const lane = one_place ? builder_.CreateIntrinsic(builder_.getInt32Ty(), llvm::Intrinsic::cttz,
                                                                 {mask, builder_.getTrue()})
                                      : nullptr;
  for (const RowUse& use : plan.data) values.push_back(from_memory(row(use), lane));
  return values;
}

void RegionEmitter::access(const Node& node, std::uint32_t offset, const StepPlan& plan) {
  access_at(node, offset, plan, nullptr, rows_->get(row(plan.address)), nullptr, nullptr);
}

// Where the address is known, and the memory, if it is not what the step found; what else must hold, and how
// else it may be done.
void RegionEmitter::access_at(const Node& node, std::uint32_t offset, const StepPlan& plan, const Near* known,
                              Value& address, llvm::Value* also, const Otherwise* otherwise) {
  const kernel::Step& step = step_of(node, offset);
  const bool update = plan.kind == StepPlan::Kind::update;
  const bool load = plan.kind == StepPlan::Kind::load || plan.kind == StepPlan::Kind::fetch;
  const bool one_lane = rows_->lane() != nullptr;
  const bool apart =
      !one_lane &&
      (plan.is_local() || (update ? !address.shape.is_uniform() : !load && stores_apart(plan, address)));
  const bool one_place = load ? !apart && address.shape.is_uniform() : update && one_lane;
  Results results = begin_results(step, one_place);
  if (step.flags & kernel::step_flag::communicates)
    add_to(cost_, builder_.getInt64(exec::communication_cost));
  const bool learns = known == nullptr && may_learn(step);
  Block* const again = learns && sweep_.nears.contains(step.id) ? block("again") : nullptr;
  if (again != nullptr) {
    builder_.CreateBr(again);
    builder_.SetInsertPoint(again);
  }
  const Near near = known == nullptr ? near_of(step, plan) : *known;
  const Reached reached = reach(step, plan, near, address, apart);
  llvm::Value* good = reached.good;
  if (also != nullptr) good = builder_.CreateAnd(good, also);
  // What is told of a store must not say more than it did.
  if (update)
    good = builder_.CreateAnd(good, is_alone(step, plan, near));
  else if (!load && reached.hosts == nullptr && near.noted != nullptr && !certain(step) &&
           !address.shape.is_uniform()) {
    llvm::Value* const all = request_.full() ? rows_->mask() : all_lanes();
    good = builder_.CreateAnd(
        good, builder_.CreateOr(builder_.CreateNot(near.noted), builder_.CreateICmpEQ(results.mask, all)));
  }
  Block* const fast = block("fast");
  Block* const slow = block("slow");
  branch_mostly(good, fast, slow);
  builder_.SetInsertPoint(fast);
  // Before it happens: what is written may have to be put back.
  if (reached.hosts == nullptr && !update) note(step, plan, near, address, reached.runs);
  if (load)
    bring(results, read(step, plan, reached, results.mask, one_place));
  else if (update && one_lane)
    bring(results, change_one(plan, reached.runs.front().host));
  else if (update)
    bring(results, change(plan, reached.hosts == nullptr ? reached.runs.front().host : nullptr, reached.hosts,
                          results.mask));
  else
    bring(results, (write(step, plan, reached, results.mask), std::vector<Value>{}));
  builder_.SetInsertPoint(slow);
  if (otherwise != nullptr) {
    Block* const other = block("other");
    Block* const slower = block("slower");
    builder_.CreateCondBr(otherwise->holds, other, slower);
    builder_.SetInsertPoint(other);
    bring(results, otherwise->read());
    builder_.SetInsertPoint(slower);
  }
  if (also == nullptr && may_leave_out(step, plan, reached)) {
    Block* const some = block("some");
    Block* const slower = block("slower");
    builder_.CreateCondBr(reaches_some(plan, near, address, results.mask), some, slower);
    builder_.SetInsertPoint(some);
    if (load)
      bring(results, read_some(plan, reached, results.mask));
    else
      bring(results, (write(step, plan, reached, results.mask), std::vector<Value>{}));
    builder_.SetInsertPoint(slower);
  }
  if (learns) learn(step, plan, address, results.mask, again);
  bring_slowly(node, offset, plan, results);
  end_results(step, plan, results);
}

// Several ways lead to what a step brings; where no lane does it, none.
RegionEmitter::Results RegionEmitter::begin_results(const kernel::Step& step, bool one_place) {
  Results results{.mask = active(step), .one_place = one_place, .after = block("after")};
  if (step.guard == 0) return results;
  Block* const some = block("some");
  results.without = builder_.GetInsertBlock();
  builder_.CreateCondBr(builder_.CreateICmpNE(results.mask, builder_.getInt32(0)), some, results.after);
  builder_.SetInsertPoint(some);
  return results;
}

// One of the ways ends here.
void RegionEmitter::bring(Results& results, std::vector<Value> values) {
  results.ways.emplace_back(builder_.GetInsertBlock(), std::move(values));
  builder_.CreateBr(results.after);
}

void RegionEmitter::bring_slowly(const Node& node, std::uint32_t offset, const StepPlan& plan,
                                 Results& results) {
  if (request_.sweep) return leave_seldom(node, offset);
  bring(results, access_slowly(step_of(node, offset), plan, results.mask, results.one_place));
}

void RegionEmitter::end_results(const kernel::Step& step, const StepPlan& plan, const Results& results) {
  builder_.SetInsertPoint(results.after);
  const auto of = [&](const Value& value) { return results.one_place ? value.base : value.vector; };
  // All of them before the first is written: that may be more than a name.
  std::vector<llvm::PHINode*> found;
  for (std::size_t e = 0; e < results.ways.front().second.size(); ++e) {
    llvm::PHINode* const all =
        found.emplace_back(builder_.CreatePHI(of(results.ways.front().second[e])->getType(), 3));
    for (const auto& [from, values] : results.ways) all->addIncoming(of(values[e]), from);
    // No lane reads this one.
    if (results.without != nullptr) all->addIncoming(llvm::PoisonValue::get(all->getType()), results.without);
  }
  for (std::size_t e = 0; e < found.size(); ++e) {
    Value value{results.one_place ? Shape::uniform() : Shape::vector(), nullptr, nullptr, nullptr};
    (results.one_place ? value.base : value.vector) = found[e];
    write_result(step, plan.data[e], value);
  }
}

}  // namespace wedjat::compile
