// A lowered kernel as tools see it.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "emulator/hooks/inspection/kernel_lists.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::hooks {

/// Outlives the kernel it was made of.
class Inspection : KernelLists {
 public:
  Inspection(const kernel::Kernel& kernel, std::uint32_t id);
  Inspection(const Inspection&) = delete;
  Inspection& operator=(const Inspection&) = delete;

  const wedjat_kernel& kernel() const { return kernel_; }

 private:
  struct Parts {
    std::vector<wedjat_operand> operands;
    std::vector<wedjat_access> accesses;
    std::vector<wedjat_work> work;
    std::vector<std::uint32_t> registers;  ///< by element of the operands
  };
  void add_registers(std::uint32_t function);
  void add_block(const kernel::Function& function, std::uint32_t function_index, std::uint32_t block,
                 std::uint32_t first_block);
  void add_instruction(std::uint32_t id, std::uint32_t block);
  const char* keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

  const kernel::Kernel& from_;
  wedjat_kernel kernel_{};
  std::deque<std::string> texts_;
  std::deque<Parts> parts_;
  std::deque<std::vector<std::uint32_t>> successors_;
  std::vector<std::uint32_t> first_register_;  ///< by function
};

/// wedjat_space.
std::uint8_t space_of(kernel::Space space);

/// Where the PTX instructions of a block stand among its steps.
class BlockSteps {
 public:
  BlockSteps(const kernel::Kernel& kernel, const kernel::Function& function, const kernel::Block& block);

  /// The step that is instruction `id` itself, not lowering's preparation for it; null if lowering folded it
  /// away or it is how the block ends.
  const kernel::Step* main(std::uint32_t id) const { return steps_[id - first_id_].main; }
  /// The first that is there for it at all, or null.
  const kernel::Step* first(std::uint32_t id) const { return steps_[id - first_id_].first; }

 private:
  struct Found {
    const kernel::Step *main = nullptr, *first = nullptr;
  };
  std::uint32_t first_id_;
  std::vector<Found> steps_;  ///< by instruction
};

}  // namespace wedjat::hooks
