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

// Lowers a kernel around each: empty, or the reason why it is refused.
std::vector<std::string> refusals(std::span<const Snippet> snippets, std::string_view version,
                                  std::string_view target);

}  // namespace wedjat::fidelity
