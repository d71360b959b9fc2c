#include "emulator/exec/cta/barrier_port.h"

#include "emulator/exec/access/all_hold.h"

namespace wedjat::exec {

void barrier_each(WarpContext& warp, const kernel::Step& step, BarrierArrival arrival,
                  const std::uint32_t* name, const std::uint32_t* threads) {
  std::uint32_t rest = arrival.lanes;
  if (rest == 0) return;
  // Nearly always all name the same.
  const int lowest = __builtin_ctz(rest);
  if (all_hold(name, name[lowest]) && all_hold(threads, threads[lowest])) {
    arrival.name = name[lowest];
    arrival.threads = threads[lowest];
    return warp.barrier->arrive(warp, step, arrival);
  }
  while (rest != 0) {
    const int first = __builtin_ctz(rest);
    arrival.name = name[first];
    arrival.threads = threads[first];
    std::uint32_t same = 0;
    for (int lane = 0; lane < lanes; ++lane)
      same |= static_cast<std::uint32_t>((name[lane] == arrival.name) & (threads[lane] == arrival.threads))
              << lane;
    arrival.lanes = same & rest;
    rest &= ~arrival.lanes;
    warp.barrier->arrive(warp, step, arrival);
  }
}

}  // namespace wedjat::exec
