// Accesses that tools need not be told of where they go on as those before them (Expectation::take): the same
// rule in code, for addresses that are known to lie regularly. What is not as expected is told.
#include "utilities/include/wedjat/expected.hpp"

#include <cstddef>
#include <optional>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

namespace {

// How lanes lie, as far as code knows when it is made.
struct Layout {
  std::uint32_t width;
  std::int64_t step;
  bool has_rows;
};

// Nothing where that is no Tile, or may be a wider one whose rows follow each other.
std::optional<Layout> layout_of(const Shape& shape, std::uint32_t width) {
  if (!shape.is_affine()) return std::nullopt;
  if (shape.is_uniform()) return Layout{32, 0, false};
  if (width == 32 || shape.sy == shape.sx * static_cast<std::int64_t>(width))
    return Layout{32, shape.sx, false};
  if (width < 4 || width > 16) return std::nullopt;
  return Layout{width, shape.sx, true};
}

}  // namespace

void RegionEmitter::find_expected(llvm::Value* expected) {
  for (const exec::Probe& probe : liveness_.probes()->all) {
    const std::uint32_t tool = probe.expected.tool;
    if (tool == exec::Probe::no_cell || watched_.expected.contains(tool)) continue;
    llvm::Type* const pointer = builder_.getPtrTy();
    llvm::Value* const state =
        builder_.CreateLoad(pointer, builder_.CreateConstInBoundsGEP1_64(pointer, expected, tool));
    llvm::Value* const sites = load_at(pointer, state, offsetof(Expected, sites));
    llvm::Type* const number = builder_.getInt64Ty();
    watched_.expected[tool] = {state,
                               sites,
                               slot_at_start(pointer),
                               slot_at_start(number),
                               slot_at_start(number),
                               slot_at_start(number)};
    own_.insert(state);
    own_.insert(sites);
  }
  if (watched_.expected.empty()) return;
  watched_.calm = slot_at_start(builder_.getInt64Ty());
  watched_.steady = slot_at_start(builder_.getInt1Ty());
  watched_.rounds = slot_at_start(builder_.getInt64Ty());
  builder_.CreateStore(builder_.getInt64(0), watched_.calm);
  builder_.CreateStore(builder_.getFalse(), watched_.steady);
  builder_.CreateStore(builder_.getInt64(0), watched_.rounds);
  read_expected();
}

void RegionEmitter::read_expected() {
  for (const auto& each : watched_.expected) {
    const auto& of = each.second;
    const auto read = [&](llvm::AllocaInst* slot, std::size_t offset) {
      builder_.CreateStore(load_at(slot->getAllocatedType(), of.state, offset), slot);
    };
    read(of.previous, offsetof(Expected, previous));
    read(of.warp, offsetof(Expected, warp));
    read(of.left_out, offsetof(Expected, left_out));
    read(of.begins, offsetof(Expected, begins));
  }
}

// Where somebody else may look at it: before probes are called, before executors that may end the launch, and
// where code is left.
void RegionEmitter::write_expected() {
  end_rounds();
  for (const auto& each : watched_.expected) {
    const auto& of = each.second;
    const auto write = [&](llvm::AllocaInst* slot, std::size_t offset) {
      builder_.CreateStore(number_in(slot), at(of.state, offset));
    };
    write(of.previous, offsetof(Expected, previous));
    write(of.warp, offsetof(Expected, warp));
    write(of.left_out, offsetof(Expected, left_out));
    write(of.begins, offsetof(Expected, begins));
  }
}

// False, and no code: it has to be told.
bool RegionEmitter::expect(const kernel::Step& step, const exec::Probe& probe) {
  if (probe.expected.tool == exec::Probe::no_cell || rows_->mask() != all_lanes() || detour_ ||
      !rows_->tracked(row(probe.expected.address)))
    return false;
  Value& address = rows_->get(row(probe.expected.address));
  const std::optional<Layout> layout = layout_of(address.shape, values_.width());
  if (!layout) return false;
  const std::uint64_t key =
      Expectation::key_of(probe.expected.site, layout->width, static_cast<std::uint64_t>(layout->step));
  if (key == 0) return false;
  const auto& of = watched_.expected.at(probe.expected.tool);
  const bool is_told = probe.sleepers == 0 && probe.within == exec::Probe::no_cell && probe.only.empty();
  Block* const after = block("told");
  if (even_) pass_if_steady(probe, address, is_told, after);
  llvm::Type* const number = builder_.getInt64Ty();
  const auto load = [&](llvm::Value* from, std::size_t offset) { return load_at(number, from, offset); };
  llvm::Value* const here = at(of.sites, probe.expected.site * sizeof(ExpectedSite));
  llvm::Value* const before = number_in(of.previous);
  own_.insert(before);
  llvm::Value* const moved = builder_.CreateSub(watched_.number, number_in(of.warp));
  llvm::Value* other = builder_.CreateXor(load(before, offsetof(ExpectedSite, after)), key);
  const auto also = [&](llvm::Value* a, llvm::Value* b) {
    other = builder_.CreateOr(other, builder_.CreateXor(a, b));
  };
  also(load(before, offsetof(ExpectedSite, moved)), moved);
  if (layout->has_rows) also(load(here, offsetof(ExpectedSite, rows)), values_.step_y(address));
  llvm::Value* const lanes = active(probe.guard, probe.guard_negated);
  if (probe.guard != 0) also(builder_.CreateZExt(lanes, number), builder_.getInt64(exec::all_lanes));
  llvm::Value* const begins = builder_.CreateZExt(
      builder_.CreateOr(builder_.CreateICmpNE(moved, builder_.getInt64(0)),
                        builder_.CreateAnd(builder_.CreateICmpNE(number_in(of.begins), builder_.getInt64(0)),
                                           builder_.CreateICmpUGT(here, before))),
      number);
  // Whether the series goes on that counts here; else what is asked next is whether another one does.
  const auto ask = [&](bool of_beginning) {
    const std::size_t series =
        of_beginning ? offsetof(ExpectedSite, begins) : offsetof(ExpectedSite, address);
    llvm::Value* const last = at(here, series + offsetof(Series, last));
    llvm::Value* const apart = builder_.CreateSub(address.base, load(last, 0));
    llvm::Value* const wrong =
        builder_.CreateOr(builder_.CreateXor(apart, load(here, series + offsetof(Series, apart))),
                          builder_.CreateXor(begins, builder_.getInt64(of_beginning ? 1 : 0)));
    Block* const expected = block("expected");
    Block* const otherwise = block("otherwise");
    branch_mostly(builder_.CreateICmpEQ(builder_.CreateOr(other, wrong), builder_.getInt64(0)), expected,
                  otherwise);
    builder_.SetInsertPoint(expected);
    builder_.CreateStore(address.base, last);
    if (of_beginning)
      builder_.CreateStore(address.base, at(here, offsetof(ExpectedSite, address) + offsetof(Series, last)));
    took(probe, begins);
    add_to(of.left_out, builder_.getInt64(1));
    builder_.CreateBr(after);
    builder_.SetInsertPoint(otherwise);
  };
  const bool in_loop = even_.has_value();
  ask(!in_loop);
  ask(in_loop);
  call_probe(step, probe, {.wanted = is_wanted(probe, lanes), .aside = true});
  // So its executor left it; then code knows what came before the next access.
  if (is_told && probe.guard == 0) took(probe, begins);
  if (even_) builder_.CreateStore(builder_.getInt64(-1), watched_.calm);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  return true;
}

// The access is what came last now.
void RegionEmitter::took(const exec::Probe& probe, llvm::Value* begins) {
  const auto& of = watched_.expected.at(probe.expected.tool);
  builder_.CreateStore(at(of.sites, probe.expected.site * sizeof(ExpectedSite)), of.previous);
  builder_.CreateStore(watched_.number, of.warp);
  builder_.CreateStore(begins, of.begins);
}

}  // namespace wedjat::compile
