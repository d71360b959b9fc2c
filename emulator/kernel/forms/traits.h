// What each form is, for whoever treats instructions by their kind. Read off the bodies of the semantics
// files, or said there by `trait …;` and `leading …;`: nobody has to know opcodes by name.
#pragma once
#include <cstdint>
#include <string_view>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// What the first result is of the inputs, each packed part or element of that of its own place; but for
/// NaNs, which the target makes what it wants, subnormals that are flushed, and integers that wrap around.
enum class Operation : std::uint8_t {
  other,        ///< anything else, and what the body does not show plainly
  copy,         ///< the input, as it is
  packing,      ///< the inputs side by side, or the input in pieces
  conversion,   ///< the integer, as another type
  load,         ///< what lies at the address, as it is
  store,        ///< no result: the last register lies at the address now
  sum,          ///< a + b
  difference,   ///< a - b
  product,      ///< a * b; of integers its low half
  product_sum,  ///< a * b + c; likewise
  negation,     ///< -a
  magnitude,    ///< |a|
  minimum,
  maximum,
  comparison,   ///< how a and b compare, see `relation`; a second result is the opposite
  selection,    ///< a if the predicate c holds, else b
  conjunction,  ///< a and b, bit by bit or as truth values, of which a may be a comparison
  disjunction,  ///< a or b
  parity,       ///< a exclusive-or b
  exchange,     ///< of a warp: the first input of the lane that the other inputs name
  left_shift,   ///< a * 2^b, its low half
  right_shift,  ///< a / 2^b, rounded down
};

enum class Relation : std::uint8_t { none, eq, ne, lt, le, gt, ge };

/// Asynchronous instructions that are closed and waited for as groups.
enum class Group : std::uint8_t { none, copies, bulk_copies, products };

namespace trait {
inline constexpr std::uint32_t address = 1;  ///< the result is another address of the same place
inline constexpr std::uint32_t braces = 2;   ///< a scalar may be written {a}
inline constexpr std::uint32_t elements =
    4;  ///< an operand may be an element of a variable, `a[2]`: its address
inline constexpr std::uint32_t variables =
    8;  ///< a register operand may be the name of a variable: its address
inline constexpr std::uint32_t flushes = 16;      ///< subnormal inputs count as zero
inline constexpr std::uint32_t texels = 32;       ///< works on texels of a texture or surface
inline constexpr std::uint32_t same_object = 64;  ///< the result points into what the first input points into
inline constexpr std::uint32_t arrives = 128;     ///< at a barrier or an mbarrier
inline constexpr std::uint32_t waits = 256;       ///< at a barrier, for a phase of an mbarrier, for groups
inline constexpr std::uint32_t cluster = 512;     ///< the barrier is that of the cluster
inline constexpr std::uint32_t relaxed = 1024;    ///< arrives or waits without releasing or acquiring
inline constexpr std::uint32_t mbarrier =
    2048;  ///< counts in the phase of an mbarrier, whose address comes first
inline constexpr std::uint32_t asynchronous = 4096;  ///< what it does to memory may happen later
inline constexpr std::uint32_t commits = 8192;       ///< closes a group
inline constexpr std::uint32_t group_fence =
    16384;  ///< what stands before it is done when those of its group begin that stand behind it
inline constexpr std::uint32_t proxy_fence =
    32768;  ///< orders what threads and asynchronous instructions do to memory
inline constexpr std::uint32_t reduction =
    131072;  ///< where nobody uses its result, it has none, and its order among others is open
inline constexpr std::uint32_t approximate =
    262144;  ///< the result is near the exact one: how near the target says
inline constexpr std::uint32_t read_only = 65536;  ///< what it reads nobody writes while the kernel runs
inline constexpr std::uint32_t fetches = 524288;   ///< gives the four channels of the texel of a line that an
                                                   ///< integer names, as they are
inline constexpr std::uint32_t samples = 2097152;  ///< the same of a plane, in which two real numbers name it
inline constexpr std::uint32_t divides =
    4194304;  ///< integers, the first input by the second: by zero the machine gives what it wants
inline constexpr std::uint32_t undocumented = 1048576;  ///< ptxas takes it, the manual does not have it: what
                                                        ///< it should compute nobody says
}  // namespace trait

struct Traits {
  Operation operation = Operation::other;
  Operation update = Operation::other;  ///< what an atomic stores: of what lay there, and its operand
  Relation relation = Relation::none;
  Group group = Group::none;
  std::uint32_t flags = 0;
  std::string_view leading = {};  ///< words that may only stand first and in this order, separated by blanks

  bool has(std::uint32_t any_of) const { return (flags & any_of) != 0; }
};

/// Of a form outside the table: those of the first form with the same key, if there is one. Defined in
/// generated code.
const Traits& traits_of(const Form& form);

template <class... Operations>
bool is(const Form* form, Operations... any_of) {
  if (form == nullptr) return false;
  const Operation operation = traits_of(*form).operation;
  return ((operation == any_of) || ...);
}

}  // namespace wedjat::kernel
