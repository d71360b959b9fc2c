// What of a loop of one block is not there between the turns that ptxas makes one.
#pragma once
#include <span>
#include <wedjat/tool.hpp>

#include "dataflow.hpp"

namespace timing {

/// What a loop of one block does to know whether it goes on: its branch, and what only the branch reads.
inline bool only_goes_on(std::span<const wedjat_instruction> loop, const wedjat_instruction& at) {
  const wedjat_instruction& end = loop.back();
  if (&at == &end) return (at.what & WEDJAT_BRANCH) != 0;
  if (at.operation != WEDJAT_COMPARISON || end.guard_register == WEDJAT_NO_REGISTER) return false;
  bool is_asked = false, is_read = false;
  each_write(at, [&](std::uint32_t r) { is_asked = is_asked || r == end.guard_register; });
  for (const wedjat_instruction& other : loop.first(loop.size() - 1))
    each_read(other, [&](std::uint32_t r) { is_read = is_read || r == end.guard_register; });
  return is_asked && !is_read;
}

/// Whether it adds a literal to a register.
inline bool only_counts(const wedjat_instruction& at) {
  if (at.operation != WEDJAT_SUM || at.guard != nullptr || at.operands[0].value == WEDJAT_FLOAT) return false;
  std::uint32_t from = WEDJAT_NO_REGISTER, reads = 0;
  each_read(at, [&](std::uint32_t r) { from = r, ++reads; });
  bool is_same = false;
  each_write(at, [&](std::uint32_t r) { is_same = r == from; });
  return is_same && reads == 1;
}

}  // namespace timing
