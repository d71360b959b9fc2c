// The executors of probes. Each finds its Probe by its step's row[0], through the CTA's CtaWatch.
#pragma once
#include "emulator/exec/access/context.h"
#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

/// Needs whose events carry rows.
inline constexpr std::uint32_t shows_rows = WEDJAT_ROWS | WEDJAT_ADDRESSES | WEDJAT_INPUTS | WEDJAT_OLD;

void segment_probe(exec::WarpContext& warp, const kernel::Step& step,
                   std::uint32_t mask);                                                   ///< WARPS, THREADS
void count_probe(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t mask);  ///< all sources
void event_probe(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t mask);
void edge_probe(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t mask);
void save_probe(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t mask);
/// In the place of an instruction's own executors.
void replaced_step(exec::WarpContext& warp, const kernel::Step& step, std::uint32_t mask);

inline bool is_probe(const kernel::Step& step) {
  return step.full == segment_probe || step.full == count_probe || step.full == event_probe ||
         step.full == save_probe || step.full == edge_probe;
}

}  // namespace wedjat::hooks
