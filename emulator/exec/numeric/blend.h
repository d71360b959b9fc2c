// Writing the lanes of a mask: a choice, never a branch.
#pragma once
#include "emulator/exec/numeric/types.h"

namespace wedjat::exec::numeric {

// Full executors run all lanes: the old value is not even read.
template <bool full, class T>
T blend(u32 mask, u32 lane, T value, T old) {
  if constexpr (full) return value;
  return (mask & (1u << lane)) != 0 ? value : old;
}
template <bool full>
u32 blend_bits(u32 mask, u32 value, u32 old) {
  if constexpr (full) return value;
  return (value & mask) | (old & ~mask);
}

}  // namespace wedjat::exec::numeric
