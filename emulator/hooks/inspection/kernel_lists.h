// What a wedjat_kernel points to, of whoever describes one.
#pragma once
#include <cstdint>
#include <vector>

#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

class KernelLists {
 protected:
  /// When all of them are filled.
  void show_in(wedjat_kernel& kernel) const {
    show(instructions_, kernel.instructions, kernel.instruction_count);
    show(blocks_, kernel.blocks, kernel.block_count);
    show(functions_, kernel.functions, kernel.function_count);
    show(registers_, kernel.registers, kernel.register_count);
    show(variables_, kernel.variables, kernel.variable_count);
  }

  std::vector<wedjat_instruction> instructions_;
  std::vector<wedjat_block> blocks_;
  std::vector<const char*> functions_;
  std::vector<wedjat_register> registers_;
  std::vector<wedjat_variable> variables_;

 private:
  template <class Element>
  static void show(const std::vector<Element>& list, const Element*& first, std::uint32_t& count) {
    first = list.data();
    count = static_cast<std::uint32_t>(list.size());
  }
};

}  // namespace wedjat::hooks
