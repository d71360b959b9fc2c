#include "emulator/kernel/rows/unreachable.h"

#include <vector>

namespace wedjat::kernel {
namespace {

// Blocks that cannot be reached are gone already: emit() places only the others.
std::vector<bool> called_functions(const Kernel& kernel) {
  std::vector<bool> called(kernel.functions.size());
  std::vector<std::uint32_t> open{0};
  called[0] = true;
  const auto call = [&](std::uint32_t index) {
    if (!called[index]) open.push_back(index);
    called[index] = true;
  };
  while (!open.empty()) {
    const Function& function = kernel.functions[open.back()];
    open.pop_back();
    for (const Block& block : function.blocks) {
      if (block.end.kind != End::Call) continue;
      if (block.end.target != Terminator::indirect) {
        call(block.end.target);
        continue;
      }
      for (std::uint32_t f = 0; f < kernel.functions.size(); ++f)
        if (kernel.functions[f].address != 0) call(f);
    }
  }
  return called;
}

}  // namespace

void drop_unreachable(Kernel& kernel) {
  const std::vector<bool> called = called_functions(kernel);
  std::vector<bool> kept(kernel.origins.size());
  for (std::uint32_t f = 0; f < kernel.functions.size(); ++f) {
    Function& function = kernel.functions[f];
    if (!called[f]) function.blocks.clear(), function.steps.clear();
    for (const Block& block : function.blocks)
      for (std::uint32_t i = 0; i < block.instructions; ++i) kept[block.first_id + i] = true;
  }
  // An end that is no instruction is named after the one before it.
  std::vector<std::uint32_t> number(kernel.origins.size());
  std::uint32_t count = 0;
  for (std::uint32_t id = 0; id < kernel.origins.size(); ++id) {
    number[id] = kept[id] ? count : count - (count != 0);
    if (kept[id] && count++ != id) kernel.origins[count - 1] = std::move(kernel.origins[id]);
  }
  if (count == kernel.origins.size()) return;
  kernel.origins.resize(count);
  for (Function& function : kernel.functions) {
    for (Step& step : function.steps) step.id = number[step.id];
    for (Block& block : function.blocks) {
      if (block.first_id < number.size()) block.first_id = number[block.first_id];
      if (block.end.id < number.size()) block.end.id = number[block.end.id];
    }
  }
}

}  // namespace wedjat::kernel
