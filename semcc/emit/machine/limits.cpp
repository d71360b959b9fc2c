#include "semcc/emit/machine/limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace semcc::emit {
namespace {

std::string constant(const ir::Limit& limit) {
  const bool is_small = std::ranges::all_of(
      limit.values, [](std::uint64_t value) { return value <= std::numeric_limits<std::uint32_t>::max(); });
  const char* const type = is_small ? "std::uint32_t" : "std::uint64_t";
  const std::string summary = fmt::format("/// {}\n", limit.summary);
  if (limit.values.size() == 1)
    return summary + fmt::format("inline constexpr {} {} = {}u;\n", type, limit.name, limit.values.front());
  return summary + fmt::format("inline constexpr std::array<{}, {}> {} = {{{}u}};\n", type,
                               limit.values.size(), limit.name, fmt::join(limit.values, "u, "));
}

}  // namespace

std::map<std::string, std::string> emit_limits(const ir::Program& program) {
  std::string text;
  for (const ir::Device& device : program.devices) {
    text += fmt::format("// {}: {}\n", device.name, device.summary);
    for (const ir::Limit& limit : device.limits) text += constant(limit);
  }
  return {{"device_limits.h",
           "// Of semantics/devices.\n#pragma once\n#include <array>\n#include <cstdint>\n\n"
           "namespace wedjat::limits {\n\n" +
               text + "\n}  // namespace wedjat::limits\n"}};
}

}  // namespace semcc::emit
