// What a warp waits for that other CTAs or the host have: words that another CTA writes in the same launch,
// and memory that both device and host use, which moves to whoever touches it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>
#include <wedjat/tool.hpp>

#include "measured_times.h"

namespace timing {

namespace h200 = wedjat::h200;

/// CTAs that wait in loops until another one has written a word: how many stand in a row is what it takes.
/// The emulator may run them one after the other, so that none waits.
class HandOvers {
 public:
  void launch_begins() { told_.clear(), hops_.clear(); }

  void wrote(std::uint64_t cta, std::uint64_t address) { told_[address] = {cta, hops_of(cta)}; }
  /// Until which cycle of the launch the reader waits; 0 where no other CTA wrote the word.
  std::uint64_t read(std::uint64_t cta, std::uint64_t address, bool is_fenced) {
    const auto found = told_.find(address);
    if (found == told_.end() || found->second.cta == cta) return 0;
    std::uint64_t& mine = hops_[cta];
    mine = std::max(mine, found->second.hops + 1);
    return mine * (is_fenced ? h200::hand_over_fenced : h200::hand_over);
  }

 private:
  struct Told {
    std::uint64_t cta = 0, hops = 0;
  };
  [[nodiscard]] std::uint64_t hops_of(std::uint64_t cta) const {
    const auto found = hops_.find(cta);
    return found == hops_.end() ? 0 : found->second;
  }
  std::unordered_map<std::uint64_t, Told> told_;           // by address
  std::unordered_map<std::uint64_t, std::uint64_t> hops_;  // by CTA
};

/// Managed memory: blocks of it are on the device, or with the host, which a launch waits for.
class Managed {
 public:
  void allocated(std::uint64_t address, std::uint64_t bytes) { ranges_[address] = address + bytes; }
  void host_touched(std::uint64_t address, std::uint64_t bytes) {
    if (!ranges_.empty() && bytes != 0)
      here_.erase(here_.lower_bound(address / kBlock), here_.upper_bound((address + bytes - 1) / kBlock));
  }
  void launch_begins() { missed_ = 0; }

  /// Until which cycle of the launch a warp waits that touches it; 0 where it is on the device for longer.
  std::uint64_t touched(std::uint64_t address, std::uint64_t launch) {
    auto range = ranges_.upper_bound(address);
    if (range == ranges_.begin() || (--range)->second <= address) return 0;
    const auto [block, is_new] = here_.try_emplace(address / kBlock, Moved{launch, 0});
    if (is_new) block->second.cycles = h200::managed_fault + h200::managed_block * missed_++;
    return block->second.launch == launch ? block->second.cycles : 0;
  }
  [[nodiscard]] bool is_empty() const { return ranges_.empty(); }

 private:
  static constexpr std::uint64_t kBlock = 65536;
  struct Moved {
    std::uint64_t launch = 0, cycles = 0;
  };
  std::map<std::uint64_t, std::uint64_t> ranges_;  // their ends
  std::map<std::uint64_t, Moved> here_;            // by block
  std::uint64_t missed_ = 0;                       // in this launch
};

/// Instructions that read a word over and over until another CTA has written it: loads in a loop that writes
/// nothing.
inline std::vector<bool> waiting_loads(const wedjat_kernel& kernel) {
  const auto code = wedjat::blocks(kernel);
  std::vector<bool> found(kernel.instruction_count, false);
  const auto only_looks = [&](const wedjat_block& block) {
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
      if (kernel.instructions[i].what & (WEDJAT_STORE | WEDJAT_ATOMIC | WEDJAT_BARRIER | WEDJAT_CALL))
        return false;
    return true;
  };
  const auto leads_to = [](const wedjat_block& from, std::uint32_t to) {
    return std::ranges::find(wedjat::successors(from), to) != wedjat::successors(from).end();
  };
  for (std::uint32_t b = 0; b < code.size(); ++b) {
    if (!only_looks(code[b])) continue;
    const bool is_loop =
        leads_to(code[b], b) || std::ranges::any_of(wedjat::successors(code[b]), [&](std::uint32_t next) {
          return only_looks(code[next]) && leads_to(code[next], b);
        });
    if (!is_loop) continue;
    for (std::uint32_t i = code[b].first; i < code[b].first + code[b].count; ++i)
      for (const wedjat_access& access : wedjat::accesses(kernel.instructions[i]))
        if (access.reads && access.strong && access.scope != 1) found[i] = true;
  }
  return found;
}

}  // namespace timing
