#include "emulator/hooks/report/names.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "emulator/hooks/report/suppressions.h"

namespace wedjat::hooks {
namespace {

// Longer ones are no names but an attack on the demangler.
constexpr std::size_t longest = 4096;

// Without the last group between these, which ends the name: parameters, arguments of a template.
std::string_view without(std::string_view name, char opens, char closes) {
  if (!name.ends_with(closes)) return name;
  int depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == closes) ++depth;
    if (name[at] == opens && --depth == 0) return name.substr(0, at);
  }
  return name;
}

}  // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z") || name.size() > longest) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

std::string demangled_in(const std::string& message) {
  constexpr std::string_view name_signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.";
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    const std::string_view rest = std::string_view(message).substr(at);
    const bool named = rest.starts_with("_Z") &&
                       (text.ends_with("kernel ") || text.ends_with(" of ") || text.ends_with("' in "));
    const std::size_t size = named ? std::min(rest.find_first_not_of(name_signs), rest.size()) : 1;
    text += named ? demangled(message.substr(at, size)) : message.substr(at, 1);
    at += size;
  }
  return text;
}

bool means_kernel(std::string_view pattern, const std::string& name) {
  if (pattern == "*" || matches(pattern, name)) return true;
  const std::string text = demangled(name);
  if (text == name) return false;
  std::string_view whole = text;
  if (matches(pattern, whole)) return true;
  constexpr std::string_view result = "void ";  // of a template's instance
  if (whole.starts_with(result)) whole.remove_prefix(result.size());
  const std::string_view called = without(whole, '(', ')'), plain = without(called, '<', '>');
  const std::size_t scope = plain.rfind("::");
  const std::string_view last = scope == std::string_view::npos ? plain : plain.substr(scope + 2);
  return matches(pattern, whole) || matches(pattern, called) || matches(pattern, plain) ||
         matches(pattern, last);
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
