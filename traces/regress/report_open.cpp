#include <fmt/format.h>

#include <map>

#include "traces/regress/report.h"

namespace wedjat::traces {
namespace {

struct Group {
  const Open* one = nullptr;
  std::size_t places = 0;
  std::uint64_t first = 0, last = 0;
};

std::map<std::pair<std::uint64_t, std::string>, Group> by_copy_and_kind(const Outcome& outcome) {
  std::map<std::pair<std::uint64_t, std::string>, Group> groups;
  for (const Open& open : outcome.open) {
    Group& group = groups[{open.sequence, open.kind}];
    if (group.places++ == 0) group = {&open, 1, open.first, open.last};
    group.first = std::min(group.first, open.first);
    group.last = std::max(group.last, open.last);
  }
  // Differences are told by element, which may be wider than what was written.
  for (auto& [key, group] : groups) {
    for (const Checked& checked : outcome.report.checked) {
      if (checked.sequence != key.first) continue;
      for (const auto& [first, last] : checked.difference.ranges) {
        if (first <= group.last && group.last < last) group.last = last;
        if (first < group.first && group.first <= last) group.first = first;
      }
    }
  }
  return groups;
}

}  // namespace

std::vector<std::string> open_places(const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const auto& [key, group] : by_copy_and_kind(outcome))
    lines.push_back(fmt::format("copy {}: {} in {} place{}; bytes {}-{}: {}", key.first, key.second,
                                group.places, group.places == 1 ? "" : "s", group.one->first, group.one->last,
                                group.one->evidence));
  return lines;
}

std::vector<std::string> suggested_expectations(const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const auto& [key, group] : by_copy_and_kind(outcome))
    lines.push_back(fmt::format("{} {} {}-{} {}: {} at ptx line {} of {}", outcome.recording.full_name(),
                                key.first, group.first, group.last, key.second, group.one->writer,
                                group.one->line, group.one->kernel));
  return lines;
}

}  // namespace wedjat::traces
