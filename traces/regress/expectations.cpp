#include "traces/regress/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "traces/format/error.h"

namespace wedjat::traces {

void read_expectations(const std::filesystem::path& file, Expectations& into) {
  std::ifstream in(file);
  if (!in) throw FormatError(file.string(), "cannot be read");
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[line.find_first_not_of(" \t")] == '#')
      continue;
    std::istringstream words(line);
    std::string name;
    Allowed allowed;
    char dash = 0;
    words >> name >> allowed.sequence >> allowed.first >> dash >> allowed.last >> std::ws;
    std::getline(words, allowed.reason);
    if (dash != '-' || allowed.last < allowed.first || allowed.reason.empty())
      throw FormatError(fmt::format("{}:{}", file.string(), number),
                        "expected SUITE/NAME SEQ FIRST-LAST and a reason");
    into[name].push_back(std::move(allowed));
  }
}

std::uint64_t unexpected_bytes(const ReplayReport& report, const std::vector<Allowed>& allowed) {
  std::uint64_t bytes = 0;
  for (const Checked& checked : report.checked) {
    for (const auto& [first, last] : checked.difference.ranges) {
      for (std::uint64_t at = first; at <= last;) {
        const auto here = std::ranges::find_if(allowed, [&](const Allowed& a) {
          return a.sequence == checked.sequence && a.first <= at && at <= a.last;
        });
        if (here == allowed.end()) ++bytes;
        at = here == allowed.end() ? at + 1 : here->last + 1;
      }
    }
  }
  return bytes;
}

}  // namespace wedjat::traces
