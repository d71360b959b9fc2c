#include "emulator/hooks/report/names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace wedjat::hooks {
namespace {

// Longer ones are no names but an attack on the demangler.
constexpr std::size_t longest = 4096;

}  // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z") || name.size() > longest) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

void demangle(Report& report) {
  for (Table& table : report.tables) {
    if (const std::size_t colon = table.title.rfind(": "); colon != std::string::npos)
      table.title.replace(colon + 2, std::string::npos, demangled(table.title.substr(colon + 2)));
    for (std::size_t i = 0; i < table.cells.size(); ++i)
      if (auto* text = std::get_if<std::string>(&table.cells[i]);
          text != nullptr && table.columns[i % table.columns.size()] == "kernel")
        *text = demangled(*text);
  }
  for (Finding& finding : report.findings) finding.kernel = demangled(finding.kernel);
}

}  // namespace wedjat::hooks
