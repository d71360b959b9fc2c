#include "emulator/hooks/report/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "emulator/hooks/report/names.h"
#include "emulator/hooks/report/tool_error.h"

namespace wedjat::hooks {
namespace {

constexpr std::size_t most_bytes = 1 << 20;

// A word of letters, digits and `extra`, perhaps with a `*` at its end.
bool is_pattern(std::string_view word, std::string_view extra) {
  if (word.ends_with('*')) word.remove_suffix(1);
  return std::ranges::all_of(word, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || extra.find(c) != std::string_view::npos;
  });
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.ends_with('*')) return text.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == text;
}

Suppressions::Suppressions(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string all(most_bytes, ' ');
  in.read(all.data(), static_cast<std::streamsize>(all.size()));
  if (!in.eof())
    throw ToolFileError(in ? file + ": is too long"
                           : fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
  all.resize(static_cast<std::size_t>(in.gcount()));
  std::istringstream lines(all);
  std::string text;
  for (std::size_t number = 1; std::getline(lines, text); ++number) {
    std::istringstream words(text.substr(0, text.find('#')));
    Line one{{}, {}, fmt::format("{}:{}", file, number)};
    std::string more;
    words >> one.kind >> one.kernel >> more;
    if (!more.empty() || !is_pattern(one.kind, "-_") || !is_pattern(one.kernel, "_$%.:<>,&~()"))
      throw ToolFileError(one.place + ": a list of findings not to report has lines 'kind' or 'kind kernel'");
    if (!one.kind.empty()) lines_.push_back(std::move(one));
  }
}

bool Suppressions::cover(const Finding& finding) {
  bool covered = false;
  for (Line& line : lines_)
    if (matches(line.kind, finding.kind) &&
        (line.kernel.empty() || means_kernel(line.kernel, finding.kernel)))
      line.used = covered = true;
  return covered;
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> all;
  for (const Line& line : lines_)
    if (!line.used)
      all.push_back(
          fmt::format("{}: '{}{}{}'", line.place, line.kind, line.kernel.empty() ? "" : " ", line.kernel));
  return all;
}

}  // namespace wedjat::hooks
