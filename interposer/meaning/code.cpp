#include "interposer/meaning/code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cuda_abi.h"
#include "traces/read/machine_code.h"

namespace wedjat::interposer {

namespace {

// As many as fit in a line of a message: names of templates are long.
std::string some_of(const std::vector<std::string>& kernels) {
  constexpr std::size_t most_characters = 200;
  std::size_t shown = 0;
  for (std::size_t characters = 0; shown < kernels.size(); ++shown) {
    characters += kernels[shown].size();
    if (shown != 0 && characters > most_characters) break;
  }
  const std::size_t more = kernels.size() - shown;
  return fmt::format("kernel{} {}{}", kernels.size() == 1 ? "" : "s",
                     fmt::join(kernels.begin(), kernels.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     more ? fmt::format(" and {} more", more) : "");
}

const char* kind_of(const traces::ImageEntry& entry) {
  return entry.kind == traces::ImageEntry::Kind::ptx   ? "PTX"
         : entry.kind == traces::ImageEntry::Kind::elf ? "machine code"
                                                       : "LTO-IR";
}

}  // namespace

std::string describe(const std::vector<traces::ImageEntry>& entries) {
  std::string text;
  // The same kernels for several architectures are said once.
  for (auto first = entries.begin(); first != entries.end();) {
    const auto last = std::find_if(first, entries.end(), [&](const auto& entry) {
      return entry.kind != first->kind || entry.kernels != first->kernels;
    });
    text += fmt::format("{}{} for ", text.empty() ? "" : ", ", kind_of(*first));
    for (auto entry = first; entry != last; ++entry)
      text += fmt::format("{}sm_{}{}", entry == first ? "" : ", ", entry->architecture,
                          entry->architecture_specific ? "a" : "");
    if (!first->kernels.empty()) text += " (" + some_of(first->kernels) + ")";
    first = last;
  }
  return text.empty() ? "nothing" : text;
}

kernel::Contract contract_of(const std::string& assembler_options) {
  switch (traces::rewrites(assembler_options)) {
    case traces::Rewrites::nothing:
      return kernel::Contract::none;
    case traces::Rewrites::constants:
      return kernel::Contract::constants;
    case traces::Rewrites::all:
      break;
  }
  return kernel::Contract::ptxas;
}

kernel::Contract contract_of_driver(const traces::ImageEntry& ptx, std::span<const std::uint64_t> options,
                                    std::span<const std::uint64_t> values) {
  for (std::size_t i = 0; i < std::min(options.size(), values.size()); ++i) {
    const auto value = static_cast<std::uint32_t>(values[i]);
    // What ptxas does with -O 0 or -g.
    if ((options[i] == CU_JIT_OPTIMIZATION_LEVEL && value == 0) ||
        (options[i] == CU_JIT_GENERATE_DEBUG_INFO && value != 0))
      return kernel::Contract::none;
  }
  return contract_of(ptx.options);
}

}  // namespace wedjat::interposer
