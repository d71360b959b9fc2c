// One lowered instruction: what the run loop dispatches and an executor reads.
#pragma once
#include <cstdint>

#include "emulator/kernel/form.h"

namespace wedjat::kernel {

// Rows: every operand is a row of 32 lanes in the warp's frame, at a byte offset from WarpContext::rows, 64-byte aligned.
// An element of n bytes makes a row of 32 * n bytes (u16: 64, u32: 128, u64: 256, b128: 512); 8-bit elements 32 bytes.
// A predicate is one u32, bit per lane. Immediates, kernel parameters and special registers are rows too, filled before use.
struct Step {
  Executor full, masked;
  const std::uint32_t* row;  // one offset per operand element in the form's order; vectors and fragments contribute `count`
                             // entries; an address contributes its 64-bit address row (displacement already added)
  const Form* form;          // for labels and reports; not touched on the hot path
  std::uint32_t id;          // index of the instruction in its kernel: names it in reports, picks its translation cache
  std::uint16_t guard = 0;   // unused by executors; see kernel/kernel.h
  std::uint16_t flags = 0;
};

// Offsets with a meaning of their own.
inline constexpr std::uint32_t sink_row = 0xffffffffu;  // an absent `|q`, or `_`: executors never see it (lowering gives a scratch row)

}  // namespace wedjat::kernel
