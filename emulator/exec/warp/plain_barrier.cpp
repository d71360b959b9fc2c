#include "emulator/exec/warp/plain_barrier.h"

#include <algorithm>

#include "emulator/exec/cta/barrier_port.h"
#include "emulator/exec/warp/rows.h"
#include "emulator/memory/host_pages.h"

namespace wedjat::exec {

namespace {

// Remembers who arrived where.
struct Witness final : BarrierPort {
  void arrive(WarpContext& /*warp*/, const kernel::Step& /*step*/, const BarrierArrival& arrival) override {
    ++arrivals;
    last = arrival;
  }
  void cluster_arrive(WarpContext& /*warp*/, const kernel::Step& /*step*/, std::uint32_t /*lanes*/) override {
    other = true;
  }
  void cluster_wait(WarpContext& /*warp*/, const kernel::Step& /*step*/, std::uint32_t /*lanes*/) override {
    other = true;
  }
  void exited() override {}

  unsigned arrivals = 0;
  bool other = false;
  BarrierArrival last;
};

}  // namespace

std::optional<std::uint32_t> plain_barrier(const kernel::Function& function, const kernel::Step& step) {
  if (step.guard != 0 || step.flags != kernel::step_flag::barrier || step.form->level != kernel::Level::Cta)
    return std::nullopt;
  // All it reads are numbers that stand in the program.
  const memory::HostPages rows(function.frame_bytes);
  for (unsigned i = 0; i < step.form->operands; ++i) {
    const auto fill = std::ranges::find_if(function.fills, [&](const kernel::RowFill& candidate) {
      return candidate.source == kernel::RowFill::Source::Constant && candidate.row == step.row[i] &&
             candidate.element_bytes == 4;
    });
    if (step.form->operand[i].count != 1 || fill == function.fills.end()) return std::nullopt;
    broadcast(rows.data() + fill->row, fill->element_bytes, fill->value);
  }
  Witness witness;
  for (const std::uint32_t threads : {64u, 96u}) {
    WarpContext context;
    context.rows = rows.data();
    context.live = all_lanes;
    context.cta_threads = threads;
    context.barrier = &witness;
    step.full(context, step, all_lanes);
    const BarrierArrival& last = witness.last;
    if (witness.other || last.op != BarrierOp::sync || !last.waits || last.lanes != all_lanes ||
        last.threads != threads)
      return std::nullopt;
  }
  if (witness.arrivals != 2) return std::nullopt;
  return witness.last.name;
}

}  // namespace wedjat::exec
