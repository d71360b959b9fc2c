// Steps that only watch: what they count is added in code, and who wants more is called with the rows that it
// names.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "emulator/compile/emit/region_emitter.h"
#include "emulator/memory/windows.h"

namespace wedjat::compile {

using exec::Probe;
using exec::ProbeCondition;
using exec::Tally;
using exec::Watched;

namespace {

bool is_of_access(Tally::What what) { return what == Tally::What::lines || what == Tally::What::sectors; }

// Of addresses from lane to lane: what all lanes together cannot wrap around with.
constexpr std::int64_t longest_step = std::int64_t{1} << 40;

unsigned shift_of(Tally::What what) { return what == Tally::What::lines ? 7 : 5; }

}  // namespace

void RegionEmitter::find_watched(llvm::Value* watched) {
  if (liveness_.probes() == nullptr) return;
  const auto in = [&](llvm::Type* type, std::size_t offset) { return load_at(type, watched, offset); };
  watched_ = {.at = watched,
              .cells = counts_at(in(builder_.getPtrTy(), offsetof(Watched, cells))),
              .off = in(builder_.getInt64Ty(), offsetof(Watched, off)),
              .within = in(builder_.getPtrTy(), offsetof(Watched, within)),
              .number = in(builder_.getInt64Ty(), offsetof(Watched, number)),
              .expected = {}};
  own_.insert(watched_.cells);
  find_expected(in(builder_.getPtrTy(), offsetof(Watched, expected)));
}

void RegionEmitter::watch(const kernel::Step& step) {
  const Probe& probe = liveness_.probes()->of(step);
  guard_ = {};
  if (probe.guard != 0) guard_ = rows_->get(row(guard_row(probe.guard)));
  if (!probe.tallies.empty() || !probe.inlined.empty()) return tally(step, probe);
  if (probe.call == nullptr) return;
  if (!expect(step, probe))
    call_probe(step, probe, {.wanted = is_wanted(probe, active(probe.guard, probe.guard_negated))});
  if (even_ && !detour_ && probe.expected.tool != Probe::no_cell) ++even_->passed;
}

void RegionEmitter::add_to_cell(llvm::Value* cell, llvm::Value* more) {
  llvm::Value* const at = builder_.CreateGEP(builder_.getInt64Ty(), watched_.cells, cell);
  builder_.CreateStore(builder_.CreateAdd(builder_.CreateLoad(builder_.getInt64Ty(), at), more), at);
}

void RegionEmitter::add_tally(const Tally& tally, llvm::Value* number) {
  llvm::Value* const cell = builder_.getInt64(tally.cell);
  if (tally.buckets == 0) return add_to_cell(cell, number);
  llvm::Value* const bucket =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, number, builder_.getInt64(tally.buckets - 1));
  add_to_cell(builder_.CreateAdd(cell, bucket), builder_.getInt64(1));
}

llvm::Value* RegionEmitter::count_of(Tally::What what, llvm::Value* active) {
  llvm::Value* const here = detour_ ? detour_->lanes : rows_->mask();
  llvm::Type* const number = builder_.getInt64Ty();
  const auto population = [&](llvm::Value* mask) {
    return builder_.CreateZExt(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, mask), number);
  };
  llvm::Value* const some = builder_.CreateICmpNE(active, builder_.getInt32(0));
  switch (what) {
    case Tally::What::path:
      return builder_.getInt64(1);
    case Tally::What::lanes:
      return population(here);
    case Tally::What::active:
      return population(active);
    case Tally::What::any:
      return builder_.CreateZExt(some, number);
    case Tally::What::parted:
      return builder_.CreateZExt(builder_.CreateAnd(some, builder_.CreateICmpNE(active, here)), number);
    case Tally::What::lines:
    case Tally::What::sectors:
      break;
  }
  return nullptr;
}

void RegionEmitter::tally(const kernel::Step& step, const Probe& probe) {
  const bool all = rows_->mask() == all_lanes() && !detour_;
  if (all && probe.whole != Probe::no_cell) add_to_cell(builder_.getInt64(probe.whole), builder_.getInt64(1));
  llvm::Value* const mask = active(probe.guard, probe.guard_negated);
  bool accesses = false;
  for (const Tally& each : probe.tallies) accesses |= is_of_access(each.what);
  if (!accesses) {
    for (const Tally& each : probe.tallies) {
      const bool told = each.what == Tally::What::path || each.what == Tally::What::lanes;
      if (!all || probe.whole == Probe::no_cell || !told) add_tally(each, count_of(each.what, mask));
    }
    return call_functions(step, probe, mask);
  }
  // Distinct units are as many as lie between the first and the last, if there is no gap.
  const exec::TalliedAccess& access = probe.access.front();
  std::map<unsigned, std::vector<Span>> spans;  // by shift
  for (const Tally& each : probe.tallies)
    if (is_of_access(each.what)) {
      auto& of_shift = spans[shift_of(each.what)];
      of_shift = spans_of(access, shift_of(each.what));
      if (of_shift.empty()) return call_probe(step, probe, {});
    }
  const bool one_place = rows_->get(row(access.address)).shape.is_uniform();
  llvm::Value* const none = builder_.getInt32(0);
  llvm::Value* simple = one_place ? builder_.getTrue() : builder_.CreateICmpEQ(mask, all_lanes());
  for (const auto& [first, last] : spans.begin()->second) {
    llvm::Value* const end = builder_.CreateAdd(last, builder_.getInt64(access.bytes - 1));
    simple = builder_.CreateAnd(simple, builder_.CreateICmpULE(first, end));
    if (!access.generic) continue;
    const std::uint64_t low = std::min(memory::shared_window.base, memory::local_window.base);
    const std::uint64_t high = std::max(memory::shared_window.base + memory::shared_window.size,
                                        memory::local_window.base + memory::local_window.size);
    simple =
        builder_.CreateAnd(simple, builder_.CreateOr(builder_.CreateICmpULT(end, builder_.getInt64(low)),
                                                     builder_.CreateICmpUGE(first, builder_.getInt64(high))));
  }
  Block* const fast = block("simple");
  Block* const slow = block("crooked");
  Block* const after = block("counted");
  builder_.CreateCondBr(simple, fast, slow);
  builder_.SetInsertPoint(slow);
  call_probe(step, probe, {.wanted = builder_.CreateICmpNE(mask, none)});
  builder_.CreateBr(after);
  builder_.SetInsertPoint(fast);
  Block* const some = block("some");
  builder_.CreateCondBr(builder_.CreateICmpNE(mask, none), some, after);
  builder_.SetInsertPoint(some);
  std::map<unsigned, llvm::Value*> units;
  for (const auto& [shift, of_shift] : spans) units[shift] = units_in(of_shift, access.bytes, shift);
  for (const Tally& each : probe.tallies)
    add_tally(each, is_of_access(each.what) ? units.at(shift_of(each.what)) : count_of(each.what, mask));
  for (std::uint32_t i = 0; i < probe.inlined.size(); ++i)
    call_inlined(probe.inlined[i], tool_function(number_of(step), i), mask);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

void RegionEmitter::call_functions(const kernel::Step& step, const Probe& probe, llvm::Value* active) {
  if (probe.inlined.empty()) return;
  const bool sure = rows_->full() && !detour_ && probe.guard == 0;
  Block* after = nullptr;
  if (!sure) {
    Block* const some = block("some");
    after = block("past");
    builder_.CreateCondBr(builder_.CreateICmpNE(active, builder_.getInt32(0)), some, after);
    builder_.SetInsertPoint(some);
  }
  for (std::uint32_t i = 0; i < probe.inlined.size(); ++i)
    call_inlined(probe.inlined[i], tool_function(number_of(step), i), active);
  if (sure) return;
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

// One, or two that may lie over each other; none: that is not known. Of all 32 lanes.
std::vector<RegionEmitter::Span> RegionEmitter::spans_of(const exec::TalliedAccess& access, unsigned shift) {
  Value& address = rows_->get(row(access.address));
  if (!address.shape.is_affine()) return {};
  if (address.shape.is_uniform()) return {{address.base, address.base}};
  const std::int64_t sx = address.shape.sx;
  const unsigned width = values_.width(), high = warp_lanes / width;
  if (std::abs(sx) > (std::int64_t{1} << shift) + access.bytes - 1) return {};
  const auto span = [&](llvm::Value* first, std::int64_t extent) {
    llvm::Value* const other =
        builder_.CreateAdd(first, llvm::ConstantInt::getSigned(first->getType(), extent));
    return extent < 0 ? Span{other, first} : Span{first, other};
  };
  const std::int64_t row_extent = sx * (width - 1);
  if (high == 1 || address.shape.sy == 0) return {span(address.base, row_extent)};
  if (address.shape.sy == sx * width) return {span(address.base, sx * (warp_lanes - 1))};
  if (high != 2) return {};
  llvm::Value* const second = builder_.CreateAdd(address.base, values_.step_y(address));
  return {span(address.base, row_extent), span(second, row_extent)};
}

llvm::Value* RegionEmitter::units_in(const std::vector<Span>& spans, std::uint32_t bytes, unsigned shift) {
  llvm::Value* count = builder_.getInt64(0);
  llvm::Value *least_end = nullptr, *greatest_begin = nullptr;
  for (const auto& [first, last] : spans) {
    llvm::Value* const begin = builder_.CreateLShr(first, shift);
    llvm::Value* const end =
        builder_.CreateAdd(builder_.CreateLShr(builder_.CreateAdd(last, builder_.getInt64(bytes - 1)), shift),
                           builder_.getInt64(1));
    count = builder_.CreateAdd(count, builder_.CreateSub(end, begin));
    if (least_end == nullptr) {
      least_end = end, greatest_begin = begin;
      continue;
    }
    least_end = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, least_end, end);
    greatest_begin = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, greatest_begin, begin);
    count = builder_.CreateSub(
        count, builder_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, least_end, greatest_begin));
  }
  return count;
}

// Null: in any case.
llvm::Value* RegionEmitter::is_wanted(const Probe& probe, llvm::Value* active) {
  llvm::Value* wanted = nullptr;
  const auto also = [&](llvm::Value* holds) {
    wanted = wanted == nullptr ? holds : builder_.CreateAnd(wanted, holds);
  };
  if (probe.tools != 0) {
    llvm::Value* silent = watched_.off;
    const bool within = probe.within != Probe::no_cell;
    if (probe.sleepers != 0 || within) {
      llvm::Value* const asleep = load_at(builder_.getInt64Ty(), watched_.at, offsetof(Watched, asleep));
      const std::uint64_t may = within ? probe.tools : probe.sleepers;
      silent = builder_.CreateOr(silent, builder_.CreateAnd(asleep, builder_.getInt64(may)));
    }
    llvm::Value* awake = builder_.CreateICmpNE(
        builder_.CreateAnd(builder_.getInt64(probe.tools), builder_.CreateNot(silent)), builder_.getInt64(0));
    if (within) awake = builder_.CreateOr(awake, builder_.CreateNot(is_within(probe, active)));
    also(awake);
  }
  if (probe.skips_empty && probe.guard != 0) also(builder_.CreateICmpNE(active, builder_.getInt32(0)));
  llvm::Value* any = nullptr;
  for (const ProbeCondition& condition : probe.only) {
    llvm::Value* const holds = may_hold(condition, active);
    any = any == nullptr ? holds : builder_.CreateOr(any, holds);
  }
  if (any != nullptr) also(any);
  return wanted;
}

llvm::Value* RegionEmitter::is_within(const Probe& probe, llvm::Value* active) {
  const auto in = [&](std::size_t offset) {
    return load_at(builder_.getInt64Ty(), watched_.within, probe.within * sizeof(exec::Within) + offset);
  };
  llvm::Value* const low = in(offsetof(exec::Within, low));
  llvm::Value* const places = in(offsetof(exec::Within, places));
  const auto inside = [&](llvm::Value* address) {
    return builder_.CreateICmpULT(builder_.CreateSub(address, low), places);
  };
  Value& address = rows_->get(row(probe.within_access.address));
  // Both ends, as no step leaves what lies between them.
  if (address.shape.is_affine() && std::abs(address.shape.sx) < longest_step) {
    const unsigned width = values_.width();
    llvm::Value* all = nullptr;
    for (unsigned lane = 0; lane < warp_lanes; lane += width) {
      llvm::Value* first = address.base;
      if (lane != 0)
        first = builder_.CreateAdd(
            first, builder_.CreateMul(values_.step_y(address), builder_.getInt64(lane / width)));
      llvm::Value* here = inside(first);
      if (address.shape.sx != 0)
        here = builder_.CreateAnd(
            here, inside(builder_.CreateAdd(first, llvm::ConstantInt::getSigned(
                                                       first->getType(), address.shape.sx * (width - 1)))));
      all = all == nullptr ? here : builder_.CreateAnd(all, here);
      if (address.shape.sy == 0) break;
    }
    return all;
  }
  Value copy = address;
  llvm::Value* const numbers = values_.vector(copy);
  llvm::Value* const fits =
      builder_.CreateICmpULT(builder_.CreateSub(numbers, builder_.CreateVectorSplat(warp_lanes, low)),
                             builder_.CreateVectorSplat(warp_lanes, places));
  llvm::Value* const lacking = builder_.CreateAnd(builder_.CreateNot(rows_->bits_of(fits)), active);
  return builder_.CreateICmpEQ(lacking, builder_.getInt32(0));
}

llvm::Value* RegionEmitter::may_hold(const ProbeCondition& condition, llvm::Value* active) {
  llvm::Value* const none = builder_.getInt32(0);
  llvm::Value* const here = detour_ ? detour_->lanes : rows_->mask();
  const auto some_of = [&](llvm::Value* bits) {
    return builder_.CreateICmpNE(builder_.CreateAnd(bits, active), none);
  };
  if (condition.test == ProbeCondition::Test::partial)
    return builder_.CreateAnd(builder_.CreateICmpNE(active, none), builder_.CreateICmpNE(active, here));
  const std::uint32_t r = row(condition.row.offset);
  if (!rows_->tracked(r)) return builder_.getTrue();
  Value& value = rows_->get(r);
  llvm::Type* const type = rows_->type(r);
  const unsigned bits = type->getIntegerBitWidth();
  const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  // From `low` on, `more` further.
  std::uint64_t low = condition.low, more = condition.high - condition.low;
  if (condition.test == ProbeCondition::Test::address) {
    const std::uint64_t before = std::min<std::uint64_t>(low, condition.bytes - 1);
    low -= before;
    more += before;
  }
  if (low > most) return builder_.getFalse();
  more = std::min(more, most - low);
  const auto inside = [&](llvm::Value* numbers) {
    llvm::Type* const of = numbers->getType();
    return builder_.CreateICmpULE(builder_.CreateSub(numbers, llvm::ConstantInt::get(of, low)),
                                  llvm::ConstantInt::get(of, more));
  };
  if (value.shape.is_uniform())
    return builder_.CreateAnd(inside(value.base), builder_.CreateICmpNE(active, none));
  Value copy = value;
  return some_of(rows_->bits_of(inside(values_.vector(copy))));
}

void RegionEmitter::call_probe(const kernel::Step& step, const Probe& probe, const Call& call) {
  Block* after = nullptr;
  if (call.wanted != nullptr) {
    Block* const wanted = block("call");
    after = block("called");
    builder_.CreateCondBr(call.wanted, wanted, after);
    builder_.SetInsertPoint(wanted);
  }
  for (const RowUse& use : liveness_.rows_of(step)) {
    const std::uint32_t r = row(use);
    if (!rows_->tracked(r) || !dirty_here_.has(r) || rows_->get(r).shape.kind == Shape::Kind::unknown)
      continue;
    call.wanted != nullptr || call.aside ? rows_->spill_aside(r) : rows_->spill(r);
  }
  write_expected();
  llvm::Value* const mask = detour_ ? detour_->lanes : rows_->mask();
  llvm::Value* const function = linked(Link::Kind::probe, number_of(step));
  const bool seldom =
      call.aside || probe.sleepers != 0 || probe.within != Probe::no_cell || !probe.only.empty();
  if (!probe.tells || seldom) {
    watchers_.insert(call_seldom(function, {warp_, address_of(step), mask}));
  } else {
    auto* const type = llvm::FunctionType::get(
        builder_.getVoidTy(), {builder_.getPtrTy(), builder_.getPtrTy(), builder_.getInt32Ty()}, false);
    watchers_.insert(builder_.CreateCall(type, function, {warp_, address_of(step), mask}));
  }
  read_expected();
  if (after == nullptr) return;
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

}  // namespace wedjat::compile
