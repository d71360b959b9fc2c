// Which write of a value a step reads, as in static single assignment, which is how ptxas sees a function.
#pragma once

#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/kernel/draft/draft.h"

namespace wedjat::kernel {

/// A write of a value, or the meeting of several where blocks meet. Of two the one that stands first in the
/// source is less; 0: nothing was written.
using Version = std::uint64_t;

class Versions {
 public:
  /// `blocks`: those that can be reached, in source order. Writes may not be moved afterwards.
  Versions(const Draft& draft, const std::vector<std::uint32_t>& blocks);

  /// What `step` of `block` reads there.
  Version read(ValueId value, std::uint32_t block, std::uint32_t step);

  /// What `step` writes to the `use`-th of its operands.
  static Version written(std::uint32_t step, std::uint32_t use) {
    return Version{step} << 32 | first_write | use;
  }

  /// The step that made it; no_step: none did.
  static constexpr std::uint32_t no_step = ~0u;
  static std::uint32_t step_of(Version version) {
    return version & first_write && (version & end_write) != end_write
               ? static_cast<std::uint32_t>(version >> 32)
               : no_step;
  }

 private:
  // Below the step: for a meeting the block and one, else a bit and which operand, or all bits for what a
  // call returns.
  static constexpr Version first_write = 1u << 31, end_write = ~0u, unknown = ~Version{0};

  struct Write {
    std::uint32_t block;
    Version version;
    auto operator<=>(const Write&) const = default;
  };

  Version last_in(const std::vector<Write>& writes, std::uint32_t block, Version before) const;
  const std::vector<Version>& at_entries(ValueId value);

  const Draft& draft_;
  const std::vector<std::uint32_t> blocks_;
  std::vector<std::vector<std::uint32_t>> predecessors_;       // by block
  std::unordered_map<ValueId, std::vector<Write>> writes_;     // in source order
  std::unordered_map<ValueId, std::vector<Version>> entries_;  // of values with several writes, by block
};

}  // namespace wedjat::kernel
