#include "emulator/exec/special.h"

#include "emulator/exec/warp.h"

namespace wedjat::exec {

std::uint64_t special_warp_index(const WarpContext& warp) {
  const auto* owner = static_cast<const Warp*>(warp.owner);
  return owner == nullptr ? 0 : owner->index();
}

}  // namespace wedjat::exec
