#include <fmt/format.h>

#include <set>

#include "traces/order/summary.h"
#include "traces/regress/report.h"

namespace wedjat::traces {

std::vector<std::string> suggested_expectations(const Outcome& outcome) {
  std::vector<std::string> lines;
  std::set<std::uint64_t> told;  // copies
  for (OpenGroup group : grouped_places(outcome.open)) {
    // Differences are told by element, which may be wider than what was written.
    for (const Checked& checked : outcome.report.checked) {
      if (checked.sequence != group.one->sequence) continue;
      for (const auto& [first, last] : checked.difference.ranges) {
        if (first <= group.last && group.last < last) group.last = last;
        if (first < group.first && group.first <= last) group.first = first;
      }
    }
    lines.push_back(fmt::format("{} {} {}-{} {}: {} at ptx line {} of {}", outcome.recording.full_name(),
                                group.one->sequence, group.first, group.last, group.one->kind,
                                group.one->writer, group.one->line, group.one->kernel));
    told.insert(group.one->sequence);
  }
  for (const Checked& checked : outcome.report.checked) {
    if (outcome.open.empty() || checked.difference.same() || told.contains(checked.sequence)) continue;
    lines.push_back(fmt::format("{} {} {}-{} follows from what is open", outcome.recording.full_name(),
                                checked.sequence, checked.difference.ranges.front().first,
                                checked.difference.ranges.back().second));
  }
  return lines;
}

}  // namespace wedjat::traces
