#include "semcc/emit/forms/accesses.h"

#include <fmt/format.h>

#include <algorithm>

#include "semcc/emit/executors/body_writer.h"
#include "semcc/emit/facts/accesses.h"

namespace semcc::emit {

std::string emit_accesses(const std::vector<const ir::Form*>& forms) {
  std::string rows, firsts;
  unsigned count = 0;
  for (const ir::Form* form : forms) {
    firsts += fmt::format("{},\n", count);
    for (const auto& [operand, a] : accesses(*form)) {
      const std::string space = operand < computed_access
                                    ? "Space::None"
                                    : space_name(static_cast<ir::Space>(operand - computed_access), {});
      rows += fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}}},\n", std::min(operand, computed_access),
                          std::max({a.read, a.written, a.updated}), a.reads, a.writes, a.updates, a.size,
                          a.lanes, space);
      ++count;
    }
  }
  return fmt::format(
      "namespace {{\nconstexpr FormAccess accesses[] = {{\n{}{{}}}};\nconstexpr std::uint32_t first_access[] "
      "= "
      "{{\n{}{}}};\n}}  // namespace\n\n"
      "std::span<const FormAccess> accesses_of(const Form& form) {{\n"
      "  const auto index = static_cast<std::size_t>(&form - all_forms().data());\n"
      "  return {{accesses + first_access[index], accesses + first_access[index + 1]}};\n}}\n\n",
      rows, firsts, count);
}

}  // namespace semcc::emit
