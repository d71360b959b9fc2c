// One step that lanes at several places execute together: its operands gathered, and its results given back.
#pragma once
#include <array>

#include "emulator/exec/access/context.h"

namespace wedjat::exec {

class JointStep {
 public:
  /// `step` says what is executed; all steps given to gather() and scatter() are of its form.
  explicit JointStep(const kernel::Step& step);
  void gather(const std::byte* rows, const kernel::Step& step, std::uint32_t mask);
  void execute(WarpContext& warp, std::uint32_t mask);
  void scatter(std::byte* rows, const kernel::Step& step, std::uint32_t mask) const;

 private:
  static constexpr std::size_t most_rows = 8, row_bytes = 512;
  template <class Visit>
  void each_row(Visit visit) const;

  kernel::Step step_;
  std::array<std::uint32_t, most_rows> offsets_;
  alignas(64) std::array<std::byte, most_rows * row_bytes> rows_;
};

}  // namespace wedjat::exec
