// Which step a row has its value from, wherever there is only one on all ways that lead there.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/compile/analysis/liveness.h"

namespace wedjat::compile {

/// Of one function, which must outlive this, as its liveness.
class Origins {
 public:
  // What is no number of a step.
  static constexpr std::uint32_t beginning = 0xffffffffu;  ///< the row is as it was when the function began
  static constexpr std::uint32_t several = 0xfffffffeu;    ///< different ways bring different values
  static constexpr std::uint32_t unreached = 0xfffffffdu;  ///< no way leads there

  Origins(const kernel::Function& function, const Liveness& liveness);

  /// By row, before a step of a block (its count: before the end).
  std::vector<std::uint32_t> before(std::uint32_t block, std::uint32_t step) const;

 private:
  void pass_step(std::uint32_t number, std::vector<std::uint32_t>& from) const;

  const kernel::Function& function_;
  const Liveness& liveness_;
  std::vector<bool> written_;
  std::vector<std::vector<std::uint32_t>> at_block_;  ///< empty: the function is too large to know
};

}  // namespace wedjat::compile
