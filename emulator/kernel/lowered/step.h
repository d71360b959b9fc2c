// One lowered instruction: what the run loop dispatches and an executor reads.
#pragma once
#include <cstdint>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

// Rows: every operand is a row of 32 lanes in the warp's frame, at a byte offset from WarpContext::rows,
// 64-byte aligned. An element of n bytes makes a row of 32 * n bytes (u16: 64, u32: 128, u64: 256, b128:
// 512); 8-bit elements 32 bytes. A predicate is one u32, bit per lane. Immediates, kernel parameters and
// special registers are rows too, filled before use.
struct Step {
  Executor full, masked;
  const std::uint32_t*
      row;  // one offset per operand element in the form's order; vectors and fragments contribute `count`
            // entries; an address contributes its 64-bit address row (displacement already added)
  const Form* form;  // for labels and reports; not touched on the hot path
  std::uint32_t
      id;  // index of the instruction in its kernel: names it in reports, picks its translation cache
  std::uint16_t guard = 0;  // 0: all lanes; else 1 + offset / 64 of the guard's predicate row (lowering puts
                            // predicates first in the frame)
  std::uint16_t flags = 0;  // step_flag; the high byte as the flag rendezvous or system says
};

// What the run loop must know of a step. Executors never look at it.
namespace step_flag {
inline constexpr std::uint16_t guard_negated = 1;
inline constexpr std::uint16_t rendezvous =
    2;  // effect::warp_sync; the high byte is the index in Step::row of the lanes to wait for (u32)
inline constexpr std::uint16_t barrier = 4;  // effect::barrier: the path may have to wait after it
// The step's outcome depends on the order among CTAs: they take turns (sched/README.md). Set for
// effect::ordered forms, vprintf, malloc and free. When any step of a kernel is ordered, so are all its
// updates and strong or volatile writes of global or generic memory: a reader of order must not see writers
// that ran ahead.
inline constexpr std::uint16_t ordered = 8;
// An access other lanes may answer: atomic, volatile or strong, in any space. Who repeats it may be spinning,
// so others get to run sooner.
inline constexpr std::uint16_t communicates = 32;
// effect::waits: lanes for which the predicate (u32) at the index in Step::row that the high byte says
// becomes false may do it again.
inline constexpr std::uint16_t waits = 64;
inline constexpr std::uint16_t system = 16;  // no executor: the run loop does SystemOp(flags >> 8)
}  // namespace step_flag

// Steps the run loop carries out. Operand rows in brackets, in the order of Step::row; all rows are per lane.
enum class SystemOp : std::uint8_t {
  Refresh,       // [value, SpecialRegister number (the number itself, not an offset), element bytes (itself)]
  Vprintf,       // [u32 result, u64 format, u64 arguments]: generic addresses
  AssertFail,    // [u64 message, u64 file, u32 line, u64 function, u64 char size]
  Malloc,        // [u64 result, u64 bytes]
  Free,          // [u64 pointer]
  Alloca,        // [u64 result (a local address), u64 bytes, alignment (the number itself)]
  StackSave,     // [u64 result]
  StackRestore,  // [u64 saved]
  Nanosleep,     // [u32 nanoseconds]
  Breakpoint,    // []
};

// Offsets with a meaning of their own.
inline constexpr std::uint32_t sink_row =
    0xffffffffu;  // an absent `|q`, or `_`: executors never see it (lowering gives a scratch row)

}  // namespace wedjat::kernel
