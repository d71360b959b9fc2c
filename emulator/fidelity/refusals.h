// Which instructions the emulator can run.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wedjat::fidelity {

struct Snippet {
  std::string_view instruction;   // over the registers kernel_text.h declares
  std::string_view declarations;  // of module scope
};

struct Answer {
  std::string refusal;   // empty: it runs
  bool is_legal = true;  // if not, it is no instruction of this version and target, or none at all

  bool runs() const { return refusal.empty(); }
};

// Lowers a kernel around each.
std::vector<Answer> refusals(std::span<const Snippet> snippets, std::string_view version,
                             std::string_view target);

}  // namespace wedjat::fidelity
