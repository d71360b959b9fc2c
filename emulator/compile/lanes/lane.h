// What a generated lane function sees of a warp: one lane. The names are those that executors use, so that
// both are the same text.
#pragma once
#include "emulator/exec/numeric/types.h"
#include "emulator/kernel/forms/form.h"
#include "emulator/memory/windows.h"

namespace wedjat::lanes {
using kernel::Space;

struct Warp {
  exec::numeric::u32 carry;
};

struct Step {
  void* row[24];
  void* word = nullptr;  // of memory, that the form updates
};

namespace exec {

template <class T>
inline T* row(Warp&, const Step& step, int operand) {
  return static_cast<T*>(step.row[operand]);
}

using wedjat::exec::numeric::u32;
using wedjat::exec::numeric::u64;

// One lane's: who finds the word and orders lanes is emit/update.cpp.
template <class T, kernel::Space, class Change>
inline void update_lanes(Warp&, const Step& step, u32, const u64*, T* old, Change change) {
  T* const word = static_cast<T*>(step.word);
  old[0] = *word;
  *word = static_cast<T>(change(0, old[0]));
}

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
