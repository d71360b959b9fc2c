// What an access in native code touched lately and has told nobody yet.
#pragma once
#include <cstdint>

#include "emulator/exec/access/context.h"
#include "emulator/exec/access/use.h"

namespace wedjat::exec {

/// Device addresses without holes.
struct NotedRun {
  const kernel::Step* step = nullptr;
  std::uint64_t begin = 0, end = 0;
  std::uint64_t limit = 0;  ///< whoever touches more, but not beyond, only moves the end: the page is kept
  Use use = Use::read;
};

/// note_range() of all of it.
void tell_run(WarpContext& warp, const NotedRun& run);
/// tell_run(), then another run begins, before that is touched.
void begin_run(WarpContext& warp, NotedRun& run, std::uint64_t address, std::uint64_t bytes);

}  // namespace wedjat::exec
