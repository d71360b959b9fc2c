#include "semcc/emit/executors/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "semcc/emit/executors/machine.h"

namespace semcc::emit {

std::string table_text(const ir::Table& table) {
  mpz_class most = 0;
  for (const mpz_class& value : table.values) most = std::max(most, value);
  const unsigned width = mpz_sizeinbase(most.get_mpz_t(), 2) > 32 ? 64 : 32;
  std::string text = fmt::format("alignas(64) constexpr u{} {}[] = {{", width, identifier(table.name));
  for (std::size_t i = 0; i < table.values.size(); ++i)
    text += fmt::format("{}0x{}u", i == 0 ? "" : i % 12 == 0 ? ",\n    " : ", ", table.values[i].get_str(16));
  return text + "};\n";
}

}  // namespace semcc::emit
