#include <fmt/format.h>

#include <set>

#include "traces/order/summary.h"
#include "traces/regress/report.h"

namespace wedjat::traces {

std::vector<std::string> suggested_expectations(const Outcome& outcome) {
  std::vector<std::string> lines;
  std::set<std::uint64_t> told;  // copies
  for (OpenGroup group : grouped_places(outcome.open)) {
    // Differences are reported by element, which may be wider than what was written.
    for (const Checked& checked : outcome.report.checked) {
      if (checked.sequence != group.one->sequence) continue;
      for (const auto& [first, last] : checked.difference.ranges) {
        if (first <= group.last && group.last < last) group.last = last;
        if (first < group.first && group.first <= last) group.first = first;
      }
    }
    const Open& open = *group.one;
    const std::string by = open.writer.empty()
                               ? "nobody wrote it"
                               : fmt::format("{} at ptx line {} of {}", open.writer, open.line, open.kernel);
    lines.push_back(fmt::format("{} {} {}-{} {}: {}", outcome.recording.full_name(), open.sequence,
                                group.first, group.last, open.kind, by));
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
