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
  std::uint64_t variable(std::uint32_t, const ptx::Variable&) const override { return 0x2000; }
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

std::vector<std::string> refusals(std::span<const Snippet> snippets, std::string_view version,
                                  std::string_view target) {
  std::vector<std::string> reasons(snippets.size());
  for (const bool independent : {false, true}) {
    std::string text = module_head(version, target, independent);
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < snippets.size(); ++i) {
      if (wants_independent_textures(snippets[i].instruction) != independent) continue;
      mine.push_back(i);
      text.append(snippets[i].declarations).append("\n");
      text += kernel_text(fmt::format("kernel_{}", i), snippets[i].instruction);
    }
    if (mine.empty()) continue;
    const auto module = ptx::Module::parse("instructions", std::move(text));
    const ptx::Module* const modules[] = {module.get()};
    const ptx::Program program = ptx::Program::link(modules);
    for (const std::size_t i : mine) reasons[i] = refusal(program, fmt::format("kernel_{}", i));
  }
  return reasons;
}

}  // namespace wedjat::fidelity
