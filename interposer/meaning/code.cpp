#include "interposer/meaning/code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cuda_abi.h"
#include "traces/read/machine_code.h"

namespace wedjat::interposer {

std::string describe(const std::vector<traces::ImageEntry>& entries) {
  std::string text;
  for (const auto& entry : entries) {
    const char* kind = entry.kind == traces::ImageEntry::Kind::ptx   ? "PTX"
                       : entry.kind == traces::ImageEntry::Kind::elf ? "machine code"
                                                                     : "LTO-IR";
    text += fmt::format("{}{} for sm_{}{}", text.empty() ? "" : ", ", kind, entry.architecture,
                        entry.architecture_specific ? "a" : "");
    if (entry.kernels.empty()) continue;
    constexpr std::size_t shown = 5;
    const std::size_t more = entry.kernels.size() - std::min(shown, entry.kernels.size());
    text += fmt::format(
        " (kernel{} {}{})", entry.kernels.size() == 1 ? "" : "s",
        fmt::join(entry.kernels.begin(), entry.kernels.end() - static_cast<std::ptrdiff_t>(more), ", "),
        more ? fmt::format(" and {} more", more) : "");
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
