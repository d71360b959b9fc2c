#include "emulator/exec/barrier_port.h"

namespace wedjat::exec {

void barrier_each(WarpContext& warp, const kernel::Step& step, BarrierArrival arrival,
                  const std::uint32_t* name, const std::uint32_t* threads) {
  std::uint32_t rest = arrival.lanes;
  while (rest != 0) {
    const int first = __builtin_ctz(rest);
    arrival.name = name[first];
    arrival.threads = threads[first];
    arrival.lanes = 0;
    for (int lane = first; lane < lanes; ++lane)
      if (name[lane] == arrival.name && threads[lane] == arrival.threads) arrival.lanes |= 1u << lane;
    arrival.lanes &= rest;
    rest &= ~arrival.lanes;
    warp.barrier->arrive(warp, step, arrival);
  }
}

}  // namespace wedjat::exec
