// Tab-separated lines.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/fidelity/packed.h"

namespace wedjat::fidelity {

// N fields of every line. Views into `text`. Throws InputError for a line with another number of them.
template <std::size_t N>
std::vector<std::array<std::string_view, N>> fields_of(std::string_view text, std::string_view name) {
  std::vector<std::array<std::string_view, N>> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    auto& fields = lines.emplace_back();
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t end = line.find('\t');
      if ((end == line.npos) != (i + 1 == N))
        throw InputError(std::string(name) + ", line " + std::to_string(lines.size()) + ": not " +
                         std::to_string(N) + " fields");
      fields[i] = line.substr(0, end);
      line.remove_prefix(end == line.npos ? line.size() : end + 1);
    }
  }
  return lines;
}

}  // namespace wedjat::fidelity
