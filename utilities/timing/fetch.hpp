// Instructions of code that is longer than the caches of instructions: lines of 128 bytes come one after the
// other, as fast as the next cache gives them, whoever of the warps of an SM asks first. A line is not waited
// for the first time: what is fetched when a kernel begins stands in `Shares::fetch`.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "costs.hpp"
#include "lines.hpp"

namespace timing {

class Fetch {
 public:
  /// Of a kernel of so many machine instructions.
  explicit Fetch(std::size_t instructions) : is_short_(instructions <= h200::near_code * kInstructions) {}

  static std::uint32_t line_of(std::uint32_t instruction) { return instruction / kInstructions; }

  /// When the line is there that a warp asks for now, in parts of a cycle.
  std::uint64_t ready(std::uint32_t line, std::uint64_t now) {
    if (is_short_) return now;
    const bool is_near = near_.use(line), is_there = far_.use(line);
    const auto [found, is_new] = arrival_.try_emplace(line, 0);
    if (!is_near && !is_new) {
      const std::uint64_t hundredths = is_there ? h200::near_line_hundredths : h200::far_line_hundredths;
      found->second = last_ = std::max(now, last_ + hundredths * kParts / 100);
    }
    return std::max(now, found->second);
  }

 private:
  static constexpr std::uint32_t kInstructions = 8;  // of a line

  bool is_short_;
  RecentLines near_{h200::near_code}, far_{h200::far_code};
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint32_t, std::uint64_t> arrival_;
};

}  // namespace timing
