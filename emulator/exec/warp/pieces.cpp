#include "emulator/exec/warp/pieces.h"

#include <algorithm>

#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

Pieces* pieces_wanted(const WarpContext& warp) {
  const auto* owner = static_cast<const Warp*>(warp.owner);
  return owner == nullptr ? nullptr : owner->pieces;
}

void tell_tile(const WarpContext& warp, kernel::Space space, const std::uint64_t* address,
               std::uint32_t count, std::uint32_t bytes, bool writes) {
  Pieces* const to = pieces_wanted(warp);
  if (to == nullptr) return;
  std::vector<std::uint64_t> sorted(address, address + count);
  std::ranges::sort(sorted);
  const std::size_t first = to->size();
  const std::uint32_t part = next_part(*to);
  for (const std::uint64_t at : sorted) {
    if (to->size() != first && at <= to->back().address + to->back().bytes)
      to->back().bytes = static_cast<std::uint32_t>(at + bytes - to->back().address);
    else
      to->push_back({at, bytes, part, 0, space, !writes, writes, false});
  }
}

}  // namespace wedjat::exec
