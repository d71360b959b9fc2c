// What a generated lane function sees of a warp: one lane. The names are those that executors use, so that
// both are the same text.
#pragma once
#include "emulator/exec/numeric/types.h"
#include "emulator/memory/windows.h"

namespace wedjat::lanes {

struct Warp {
  exec::numeric::u32 carry;
};

struct Step {
  void* row[24];
};

namespace exec {

template <class T>
inline T* row(Warp&, const Step& step, int operand) {
  return static_cast<T*>(step.row[operand]);
}

using wedjat::exec::numeric::u64;
inline u64 special_window_shared_base(const Warp&) { return memory::shared_window.base; }
inline u64 special_window_shared_size(const Warp&) { return memory::shared_window.size; }
inline u64 special_window_local_base(const Warp&) { return memory::local_window.base; }
inline u64 special_window_local_size(const Warp&) { return memory::local_window.size; }
inline u64 special_window_param_base(const Warp&) { return memory::param_window.base; }

}  // namespace exec

// Of a truth value of one lane.
inline wedjat::exec::numeric::u32 lane_bits(const wedjat::exec::numeric::u8* truths) {
  return truths[0] & 1u;
}

}  // namespace wedjat::lanes
