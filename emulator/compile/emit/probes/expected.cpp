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
    watched_.expected[tool] = {state, sites};
    own_.insert(state);
    own_.insert(sites);
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
  const auto& [state, sites] = watched_.expected.at(probe.expected.tool);
  llvm::Type* const number = builder_.getInt64Ty();
  const auto load = [&](llvm::Value* from, std::size_t offset) { return load_at(number, from, offset); };
  llvm::Value* const here = at(sites, probe.expected.site * sizeof(ExpectedSite));
  llvm::Value* const before = load_at(builder_.getPtrTy(), state, offsetof(Expected, previous));
  own_.insert(before);
  llvm::Value* const moved =
      builder_.CreateAdd(load(before, offsetof(ExpectedSite, moved)), load(state, offsetof(Expected, warp)));
  llvm::Value* other = builder_.CreateXor(load(before, offsetof(ExpectedSite, after)), key);
  const auto also = [&](llvm::Value* a, llvm::Value* b) {
    other = builder_.CreateOr(other, builder_.CreateXor(a, b));
  };
  also(moved, watched_.number);
  also(load(here, offsetof(ExpectedSite, next)), address.base);
  if (layout->has_rows) also(load(here, offsetof(ExpectedSite, rows)), values_.step_y(address));
  llvm::Value* const lanes = active(probe.guard, probe.guard_negated);
  if (probe.guard != 0) also(builder_.CreateZExt(lanes, number), builder_.getInt64(exec::all_lanes));
  Block* const expected = block("expected");
  Block* const surprising = block("surprising");
  Block* const after = block("told");
  branch_mostly(builder_.CreateICmpEQ(other, builder_.getInt64(0)), expected, surprising);
  builder_.SetInsertPoint(expected);
  llvm::Value* const next = builder_.CreateAdd(address.base, load(here, offsetof(ExpectedSite, apart)));
  builder_.CreateStore(next, at(here, offsetof(ExpectedSite, next)));
  builder_.CreateStore(here, at(state, offsetof(Expected, previous)));
  builder_.CreateStore(watched_.number, at(state, offsetof(Expected, warp)));
  llvm::Value* const left_out = at(state, offsetof(Expected, left_out));
  builder_.CreateStore(builder_.CreateAdd(load(left_out, 0), builder_.getInt64(1)), left_out);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(surprising);
  call_probe(step, probe, {.wanted = is_wanted(probe, lanes), .aside = true});
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  return true;
}

}  // namespace wedjat::compile
