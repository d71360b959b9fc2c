// What the warps of a CTA did, as the model needs it: blocks and, in them, what memory had to do.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "caches.hpp"

namespace timing {

/// One access of a warp: passes through the load and store unit, sectors of 32 bytes that the L1 did not
/// have, and that the L2 did not have.
struct Access {
  std::uint32_t passes = 1, l2_sectors = 0, device_sectors = 0;
  bool is_shared = false, is_filtered = false;  // filtered: texels, which are never shared memory
  Level level = Level::near;                    // of the sector that is farthest
};

/// What a warp does: blocks, their accesses, and behind them what it waits for else: so many cycles, or until
/// so many have passed since the launch began.
namespace token {
inline constexpr std::uint32_t block_flag = 0x80000000, shared_flag = 0x40000000, until_flag = 0x20000000;
inline constexpr std::uint32_t wait_flag = block_flag | shared_flag, most_cycles = until_flag - 1;
inline std::uint32_t of_delay(std::uint64_t cycles) {
  return wait_flag | static_cast<std::uint32_t>(std::min<std::uint64_t>(cycles, most_cycles));
}
inline std::uint32_t until(std::uint64_t cycles) { return of_delay(cycles) | until_flag; }
inline bool is_wait(std::uint32_t token) { return (token & wait_flag) == wait_flag; }
inline bool is_until(std::uint32_t token) { return (token & until_flag) != 0; }
inline std::uint32_t cycles(std::uint32_t token) { return token & most_cycles; }
inline bool is_access(std::uint32_t token) { return (token & block_flag) == 0; }
inline std::uint32_t of_block(std::uint32_t block) { return block_flag | block; }
inline std::uint32_t of_access(const Access& access) {
  return (access.is_shared || access.is_filtered ? shared_flag : 0) |
         static_cast<std::uint32_t>(access.level) << 28 | std::min(access.passes, 255u) << 20 |
         std::min(access.l2_sectors, 1023u) << 10 | std::min(access.device_sectors, 1023u);
}
inline bool is_block(std::uint32_t token) { return (token & wait_flag) == block_flag; }
inline std::uint32_t block(std::uint32_t token) { return token & ~block_flag; }
inline Access access(std::uint32_t token) {
  return {token >> 20 & 255,          token >> 10 & 1023,         token & 1023,
          (token & shared_flag) != 0, (token & shared_flag) != 0, static_cast<Level>(token >> 28 & 3)};
}
}  // namespace token

using WarpTokens = std::vector<std::uint32_t>;
using CtaTokens = std::vector<WarpTokens>;  // by warp

/// CTAs that did the same are kept once.
class Recorded {
 public:
  static constexpr std::uint32_t kNone = ~0u;  // a CTA that was not watched
  void add(std::uint64_t number, CtaTokens&& cta) {
    if (number >= ctas_.size()) ctas_.resize(number + 1, kNone);
    std::uint64_t hash = 14695981039346656037u;
    for (const WarpTokens& warp : cta) {
      for (const std::uint32_t one : warp) hash = (hash ^ one) * 1099511628211u;
      hash = (hash ^ warp.size()) * 1099511628211u;
    }
    auto& same = by_hash_[hash];
    for (const std::uint32_t known : same)
      if (kinds_[known] == cta) return void(ctas_[number] = known);
    same.push_back(static_cast<std::uint32_t>(kinds_.size()));
    ctas_[number] = same.back();
    kinds_.push_back(std::move(cta));
  }
  [[nodiscard]] const CtaTokens& kind(std::uint32_t number) const { return kinds_[number]; }
  [[nodiscard]] const std::vector<std::uint32_t>& ctas() const { return ctas_; }  // their kinds
  void clear() { *this = {}; }

 private:
  std::vector<CtaTokens> kinds_;
  std::vector<std::uint32_t> ctas_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
};

}  // namespace timing
