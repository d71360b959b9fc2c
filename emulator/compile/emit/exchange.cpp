// Lanes that read each other's registers, where it is known who reads whom.
#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/compile/emit/region_emitter.h"

namespace wedjat::compile {

namespace {

// Rows in memory, for an executor that is asked what it does.
struct Frame {
  explicit Frame(std::uint32_t bytes) : lines(bytes / sizeof(Line) + 1) {}
  std::byte* at(std::uint32_t offset) { return reinterpret_cast<std::byte*>(lines.data()) + offset; }

  struct alignas(64) Line {
    std::array<std::byte, 64> bytes{};
  };
  std::vector<Line> lines;
};

}  // namespace

// All lanes of the warp do the step. Its executor is asked once what becomes of their numbers; that it only
// hands them on, its form says. False if more than numbers in the program says who reads whom.
bool RegionEmitter::exchange(const kernel::Step& step, const StepPlan& plan) {
  if (!whole(step) || (step.flags & kernel::step_flag::communicates) != 0 ||
      request_.host.traits_of(*step.form).operation != kernel::Operation::exchange)
    return false;
  const auto given = std::ranges::find_if(plan.rows, &RowUse::in);
  if (given == plan.rows.end() || given->bytes != 4) return false;
  Frame frame(code_.frame_bytes);
  const auto fill = [&](std::uint32_t offset, auto&& number) {
    std::array<std::uint32_t, warp_lanes> row{};
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) row[lane] = number(lane);
    std::memcpy(frame.at(offset), row.data(), sizeof row);
  };
  for (const RowUse& use : plan.rows) {
    if (!rows_->tracked(row(use)) || (use.out && use.bytes != 0 && use.bytes != 4)) return false;
    if (!use.in || &use == &*given) continue;
    const std::optional<std::uint64_t> constant = rows_->get(row(use)).shape.constant;
    if (!constant || use.bytes != 4 || use.offset == given->offset) return false;
    fill(use.offset, [&](std::uint32_t) { return static_cast<std::uint32_t>(*constant); });
  }
  fill(given->offset, [](std::uint32_t lane) { return lane; });
  exec::WarpContext context;
  context.rows = frame.at(0);
  context.live = exec::all_lanes;
  step.full(context, step, exec::all_lanes);

  Value before = rows_->get(row(*given));
  llvm::Value* const all = values_.vector(before);
  std::vector<std::pair<const RowUse*, llvm::Value*>> results;
  for (const RowUse& use : plan.rows) {
    if (!use.out) continue;
    std::array<std::uint32_t, warp_lanes> row{};
    std::memcpy(row.data(), frame.at(use.offset), use.bytes == 0 ? sizeof row[0] : sizeof row);
    if (use.bytes == 0) {
      results.emplace_back(&use, rows_->lanes_of(builder_.getInt32(row[0])));
      continue;
    }
    llvm::SmallVector<int, warp_lanes> from(row.begin(), row.end());
    results.emplace_back(&use, builder_.CreateShuffleVector(all, from));
  }
  for (const auto& [use, now] : results) write_result(step, *use, {Shape::vector(), nullptr, nullptr, now});
  return true;
}

}  // namespace wedjat::compile
