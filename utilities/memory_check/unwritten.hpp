// Registers of a kernel that some path reads before it writes them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "registers.hpp"

namespace memory_check {

struct Unwritten {
  std::uint32_t reg;
  const wedjat_instruction* reader;  // the first in the text
};

/// `infos`: of all instructions of the kernel, from `first` on. Not of functions that it calls, whose
/// parameters may be registers that nothing in them writes.
inline std::vector<Unwritten> read_before_written(const wedjat_kernel& k, const std::deque<Info>& infos,
                                                  std::size_t first) {
  using Set = std::vector<std::uint64_t>;  // of registers
  const auto put = [](Set& set, std::uint32_t r) { set[r / 64] |= std::uint64_t{1} << r % 64; };
  const auto take = [](Set& set, std::uint32_t r) { set[r / 64] &= ~(std::uint64_t{1} << r % 64); };
  std::vector<Set> live(k.block_count, Set(k.register_count / 64 + 1));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t b = k.block_count; b-- > 0;) {
      const wedjat_block& block = k.blocks[b];
      Set now(k.register_count / 64 + 1);
      for (const std::uint32_t next : wedjat::successors(block))
        for (std::size_t w = 0; w < now.size(); ++w) now[w] |= live[next][w];
      for (std::uint32_t i = block.count; i-- > 0;) {
        const Info& info = infos[first + block.first + i];
        if (info.at->guard == nullptr)
          for (const std::uint32_t r : info.outputs) take(now, r);
        for (const auto* registers : {&info.inputs, &info.bases})
          for (const std::uint32_t r : *registers) put(now, r);
        if (info.at->guard_register != WEDJAT_NO_REGISTER) put(now, info.at->guard_register);
      }
      changed = changed || now != live[b];
      live[b] = std::move(now);
    }
  }
  // What a call gives back is not among its operands, but in its text: `call (%r1), f, (%r2);`.
  const auto named_by_call = [&](std::uint32_t r) {
    for (std::uint32_t i = 0; i < k.instruction_count; ++i) {
      const wedjat_instruction& at = *infos[first + i].at;
      if ((at.what & WEDJAT_CALL) && at.function == 0 &&
          std::string_view(at.text).find(k.registers[r].name) != std::string_view::npos)
        return true;
    }
    return false;
  };
  std::vector<Unwritten> all;
  for (std::uint32_t r = 0; k.block_count != 0 && r < k.register_count; ++r) {
    const bool is_live = (live[0][r / 64] >> r % 64 & 1) != 0;
    if (!is_live || k.registers[r].function != 0 || named_by_call(r)) continue;
    for (std::uint32_t i = 0; i < k.instruction_count; ++i) {
      const Info& info = infos[first + i];
      const auto reads = [&](const std::vector<std::uint32_t>& registers) {
        return std::find(registers.begin(), registers.end(), r) != registers.end();
      };
      if (!reads(info.inputs) && !reads(info.bases) && info.at->guard_register != r) continue;
      all.push_back({r, info.at});
      break;
    }
  }
  return all;
}

}  // namespace memory_check
