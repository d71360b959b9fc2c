#include "emulator/text/near_miss.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace wedjat::text {
namespace {

// Letters that have to be left out, added or changed to make one text of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t before = row[0];  // of the prefixes that are one shorter
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = before + (a[i] == b[j] ? 0 : 1);
      before = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string near_miss(std::string_view written, std::span<const std::string> names) {
  constexpr std::size_t most = 2;
  std::string nearest;
  std::size_t least = most + 1;
  for (const std::string& name : names) {
    const std::size_t apart = distance(written, name);
    if (apart >= least || 2 * apart >= std::min(written.size(), name.size())) continue;
    least = apart;
    nearest = name;
  }
  return nearest;
}

std::string did_you_mean(std::string_view written, std::span<const std::string> names) {
  const std::string meant = near_miss(written, names);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace wedjat::text
