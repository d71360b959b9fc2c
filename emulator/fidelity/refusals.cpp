#include "emulator/fidelity/refusals.h"

#include <fmt/format.h>

#include "emulator/fidelity/kernel_text.h"
#include "emulator/kernel/check.h"

namespace wedjat::fidelity {

std::vector<Answer> refusals(std::span<const Snippet> snippets, std::string_view version,
                             std::string_view target) {
  std::vector<Answer> answers(snippets.size());
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
    for (const std::size_t i : mine) {
      const auto refusal = kernel::refusal_of(program, program.find_entry(fmt::format("kernel_{}", i)));
      if (refusal) answers[i] = {refusal->error.message(), refusal->is_legal};
    }
  }
  return answers;
}

}  // namespace wedjat::fidelity
