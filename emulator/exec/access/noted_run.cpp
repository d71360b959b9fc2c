#include "emulator/exec/access/noted_run.h"

#include "emulator/exec/access/footprint.h"
#include "emulator/exec/access/memory_port.h"

namespace wedjat::exec {

void tell_run(WarpContext& warp, const NotedRun& run) {
  if (run.begin != run.end) note_range(warp, *run.step, run.use, run.begin, run.end - run.begin);
}

void begin_run(WarpContext& warp, NotedRun& run, std::uint64_t address, std::uint64_t bytes) {
  tell_run(warp, run);
  note_range(warp, *run.step, run.use, address, bytes);
  const memory::Extent& extent = warp.memory->cache[run.step->id].extent;
  const auto host = reinterpret_cast<std::uintptr_t>(extent.host) + (address - extent.address);
  run.begin = address;
  run.end = address + bytes;
  run.limit = run.end + (TouchedPage::bytes - 1 - (host + bytes - 1) % TouchedPage::bytes);
}

}  // namespace wedjat::exec
