#include "traces/order/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wedjat::traces {

std::vector<OpenGroup> grouped_places(std::span<const Open> open) {
  std::map<std::pair<std::uint64_t, std::string>, OpenGroup> groups;
  for (const Open& place : open) {
    OpenGroup& group = groups[{place.sequence, place.kind}];
    if (group.places++ == 0) group = {&place, 1, place.first, place.last};
    group.first = std::min(group.first, place.first);
    group.last = std::max(group.last, place.last);
  }
  std::vector<OpenGroup> sorted;
  for (const auto& [key, group] : groups) sorted.push_back(group);
  return sorted;
}

std::vector<std::string> summaries(std::span<const Open> open) {
  std::vector<std::string> lines;
  for (const OpenGroup& group : grouped_places(open))
    lines.push_back(fmt::format("copy {}: {} in {} place{}; bytes {}-{}: {}", group.one->sequence,
                                group.one->kind, group.places, group.places == 1 ? "" : "s", group.one->first,
                                group.one->last, group.one->evidence));
  return lines;
}

}  // namespace wedjat::traces
