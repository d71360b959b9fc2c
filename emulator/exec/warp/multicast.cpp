#include "emulator/exec/warp/multicast.h"

#include <fmt/format.h>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

memory::MulticastTable::Places multicast_places(WarpContext& warp, const kernel::Step& step, int lane,
                                                std::uint64_t address) {
  // Nobody owns it where an instruction is only tried out (access/update_algebra.h).
  const auto* const owner = static_cast<const Warp*>(warp.owner);
  const memory::MulticastTable* const table = owner == nullptr ? nullptr : owner->cta().launch->multicast;
  memory::MulticastTable::Places places;
  if (table != nullptr) places = table->places(address);
  if (places.first.empty())
    fail(warp, step.id, 1u << lane, FaultKind::undefined,
         fmt::format("multimem at {:#x}, which is no multicast address", address));
  return places;
}

}  // namespace wedjat::exec
