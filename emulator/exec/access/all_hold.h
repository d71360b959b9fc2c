// Whether the lanes of a warp name the same.
#pragma once
#include "emulator/exec/access/address_pattern.h"

namespace wedjat::exec {

/// Every lane of a row of 32-bit numbers holds `wanted`.
inline bool all_hold(const std::uint32_t* row, std::uint32_t wanted) {
  const auto* eight = reinterpret_cast<const Eight*>(row);  // two lanes in each number
  const Eight all = Eight{} + (std::uint64_t{wanted} << 32 | wanted);
  return !detail::any_bit((eight[0] ^ all) | (eight[1] ^ all));
}

}  // namespace wedjat::exec
