#include "emulator/exec/multicast.h"

#include <fmt/format.h>

#include "emulator/exec/fault.h"
#include "emulator/exec/warp.h"
#include "emulator/memory/multicast.h"

namespace wedjat::exec {

std::vector<std::uint64_t> multicast_places(WarpContext& warp, const kernel::Step& step, int lane,
                                            std::uint64_t address) {
  const memory::MulticastTable* const table = static_cast<const Warp*>(warp.owner)->cta().launch->multicast;
  std::vector<std::uint64_t> places;
  if (table != nullptr) places = table->places(address);
  if (places.empty())
    fail(warp, step.id, 1u << lane, FaultKind::undefined,
         fmt::format("multimem at {:#x}, which is no multicast address", address));
  return places;
}

}  // namespace wedjat::exec
