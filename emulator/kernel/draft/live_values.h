// Which values are live where the blocks of a draft begin and end.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/kernel/draft/draft.h"

namespace wedjat::kernel {

class LiveValues {
 public:
  /// `blocks`: those that can be reached.
  LiveValues(const Draft& draft, const std::vector<std::uint32_t>& blocks);

  /// Values that cross blocks at all; few do.
  const std::vector<ValueId>& crossing() const { return members_; }
  /// `index`: into crossing().
  bool in(std::uint32_t block, std::uint32_t index) const { return test(in_[block], index); }
  bool out(std::uint32_t block, std::uint32_t index) const { return test(out_[block], index); }

  /// Calls visit(value) for those that are live where the block begins, or where it ends.
  template <class Visit>
  void each_in(std::uint32_t block, Visit visit) const {
    each(in_[block], visit);
  }
  template <class Visit>
  void each_out(std::uint32_t block, Visit visit) const {
    each(out_[block], visit);
  }

  bool is_in(std::uint32_t block, ValueId value) const {
    return crossing_[value] != no_value && in(block, crossing_[value]);
  }
  bool is_out(std::uint32_t block, ValueId value) const {
    return crossing_[value] != no_value && out(block, crossing_[value]);
  }

 private:
  using Bits = std::vector<std::uint64_t>;
  static bool test(const Bits& bits, std::uint32_t i) { return bits[i / 64] >> (i % 64) & 1; }

  template <class Visit>
  void each(const Bits& bits, Visit visit) const {
    for (std::size_t w = 0; w < bits.size(); ++w)
      for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
        visit(members_[64 * w + static_cast<unsigned>(__builtin_ctzll(rest))]);
  }

  void find_crossing(const std::vector<std::uint32_t>& blocks);
  void solve(const std::vector<std::uint32_t>& blocks);
  bool flow(std::uint32_t block, const Bits& kill);

  const Draft& draft_;
  std::vector<std::uint32_t> crossing_;  // by value: its bit
  std::vector<ValueId> members_;         // by bit
  std::vector<Bits> in_, out_;           // by block
};

}  // namespace wedjat::kernel
