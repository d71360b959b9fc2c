// Registers of a kernel that some path reads before it writes them.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "registers.hpp"

namespace memory_check {

struct Unwritten {
  std::uint32_t reg;
  const wedjat_instruction* reader;  // the first in the text
};

/// `infos`: of all instructions of the kernel, from `first` on. None if it calls functions: what they give
/// back is not among the operands of a call.
inline std::vector<Unwritten> read_before_written(const wedjat_kernel& k, const std::deque<Info>& infos,
                                                  std::size_t first) {
  const std::uint32_t count = k.register_count;
  std::vector<std::vector<bool>> live(k.block_count, std::vector<bool>(count));
  for (const auto& block : wedjat::blocks(k))
    if (block.callee != -1) return {};
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t b = k.block_count; b-- > 0;) {
      const wedjat_block& block = k.blocks[b];
      std::vector<bool> now(count);
      for (const std::uint32_t next : wedjat::successors(block))
        for (std::uint32_t r = 0; r < count; ++r)
          if (live[next][r]) now[r] = true;
      for (std::uint32_t i = block.count; i-- > 0;) {
        const Info& info = infos[first + block.first + i];
        if (info.at->guard == nullptr)
          for (const std::uint32_t r : info.outputs) now[r] = false;
        for (const auto* registers : {&info.inputs, &info.bases})
          for (const std::uint32_t r : *registers) now[r] = true;
        if (info.at->guard_register != WEDJAT_NO_REGISTER) now[info.at->guard_register] = true;
      }
      changed = changed || now != live[b];
      live[b] = std::move(now);
    }
  }
  std::vector<Unwritten> all;
  for (std::uint32_t r = 0; k.block_count != 0 && r < count; ++r) {
    if (!live[0][r]) continue;
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
