#include "emulator/fidelity/refusals.h"

#include <fmt/format.h>

#include "emulator/fidelity/kernel_text.h"
#include "emulator/kernel/lower.h"
#include "emulator/ptx/error.h"

namespace wedjat::fidelity {
namespace {

// Nothing is loaded: any address will do.
struct Anywhere : kernel::Addresses {
  std::uint64_t variable(ptx::SymbolId) const override { return 0x1000; }
  std::uint64_t function(ptx::SymbolId) const override { return 0x10; }
};

std::string refusal(const ptx::Program& program, std::string_view name) {
  try {
    kernel::lower(program, program.find_entry(name), Anywhere());
    return {};
  } catch (const ptx::Error& error) {
    return error.message();
  }
}

}  // namespace

std::vector<std::string> refusals(std::span<const InventoryRow* const> rows) {
  std::vector<std::string> reasons(rows.size());
  for (const bool independent : {false, true}) {
    std::string text = module_head("9.0", "sm_90a", independent);
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (wants_independent_textures(rows[i]->text) != independent) continue;
      mine.push_back(i);
      text.append(rows[i]->declarations).append("\n");
      text += kernel_text(fmt::format("row{}", rows[i]->id), rows[i]->text);
    }
    if (mine.empty()) continue;
    const auto module = ptx::Module::parse("inventory", std::move(text));
    const ptx::Module* const modules[] = {module.get()};
    const ptx::Program program = ptx::Program::link(modules);
    for (const std::size_t i : mine) reasons[i] = refusal(program, fmt::format("row{}", rows[i]->id));
  }
  return reasons;
}

}  // namespace wedjat::fidelity
