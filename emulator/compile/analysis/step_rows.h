// Which rows of its frame a step or the end of a block reads and writes.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/exec/warp/probe.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::compile {

struct RowUse {
  std::uint32_t offset = 0;  ///< from the frame's rows: names the row
  std::uint8_t bytes = 0;    ///< of an element; 0: a predicate
  bool in = false, out = false;
  std::uint8_t operand = 0;  ///< of the form
  std::uint16_t index = 0;   ///< in Step::row

  unsigned bits() const { return bytes == 0 ? 1u : 8u * bytes; }  ///< of an element
};

/// In the order of Step::row; the guard is not among them. Of a probe: what it reads, its guard too.
std::vector<RowUse> rows_of(const kernel::Step& step, const exec::Probes* probes = nullptr);

/// Of the end of a block, its guard too. A call reads its arguments and writes its results; a return reads
/// the function's results.
std::vector<RowUse> rows_of(const kernel::Terminator& end, const kernel::Function& function);

/// The row of a guard as Step::guard and Terminator::guard code it.
constexpr std::uint32_t guard_row(std::uint16_t guard) { return (guard - 1u) * 64u; }

}  // namespace wedjat::compile
