// What the executor of an update says of its operation when it is asked: whether it commutes with itself, and
// by which number nothing changes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "emulator/exec/access/memory_port.h"
#include "emulator/kernel/lowered/kernel.h"
#include "emulator/memory/host_pages.h"

namespace wedjat::exec {

/// Runs an update of global memory apart from any warp.
class UpdateRunner {
 public:
  /// Nothing for steps that are no update of one word by one word.
  static std::optional<UpdateRunner> of(const kernel::Kernel& kernel, const kernel::Function& function,
                                        const kernel::Step& step);

  unsigned element_bytes() const { return bytes_; }
  /// Each of `count` elements at `memory` is updated by that at `values`, atomically.
  void apply(std::byte* memory, const std::byte* values, std::size_t count) const;

 private:
  UpdateRunner(const kernel::Kernel& kernel, const kernel::Function& function, const kernel::Step& step);

  const kernel::Step* step_;
  std::size_t steps_, row_bytes_;
  std::uint32_t address_ = 0, value_ = 0;  // rows
  unsigned bytes_ = 0;
};

struct UpdateAlgebra {
  bool commutes = false;
  std::optional<std::uint64_t> neutral;  ///< of as many bytes as the element has
};
UpdateAlgebra algebra_of(const UpdateRunner& runner);

}  // namespace wedjat::exec
