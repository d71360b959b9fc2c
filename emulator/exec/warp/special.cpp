#include "emulator/exec/warp/special.h"

#include "emulator/exec/access/memory_port.h"
#include "emulator/exec/warp/warp.h"

namespace wedjat::exec {

std::uint64_t special_warp_index(const WarpContext& warp) {
  const auto* owner = static_cast<const Warp*>(warp.owner);
  return owner == nullptr ? 0 : owner->index();
}

std::uint64_t special_window_param_size(const WarpContext& warp) {
  return warp.memory != nullptr ? warp.memory->parameter_bytes : 0;
}

std::uint64_t special_window_const_base(const WarpContext& warp) {
  return warp.memory != nullptr ? warp.memory->constants.base : 0;
}

std::uint64_t special_window_const_size(const WarpContext& warp) {
  return warp.memory != nullptr ? warp.memory->constants.size : 0;
}

}  // namespace wedjat::exec
