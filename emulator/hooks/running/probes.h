// The executors of probes. Each finds its Probe by its step's row[0], through the CTA's CtaWatch.
#pragma once
#include "emulator/exec/access/context.h"
#include "emulator/exec/warp/probe.h"
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

/// Of an element of a step's rows; 0: a predicate.
unsigned row_bytes(const kernel::Step& step, std::uint32_t row);

using exec::is_probe;
/// What native code calls to do what a probe's executor does in the loop; null: it never calls that one.
kernel::Executor native_executor(const kernel::Step& probe);

}  // namespace wedjat::hooks
