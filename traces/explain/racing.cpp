#include "traces/explain/racing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "traces/order/causes.h"

namespace wedjat::traces {
namespace {

constexpr std::size_t most_races_shown = 4;  // races of a kernel

// Kernels that ran before the last copy that differs.
std::set<std::string> suspects(const ReplayReport& report) {
  std::uint64_t last = 0;
  for (const Checked& checked : report.checked)
    if (!checked.difference.same()) last = std::max(last, checked.sequence);
  std::set<std::string> kernels;
  for (const Launched& launched : report.launched)
    if (launched.sequence < last) kernels.insert(launched.kernel);
  return kernels;
}

}  // namespace

std::vector<std::string> racing_before(const Trace& trace, const ReplayOptions& options,
                                       const Resolution& resolution) {
  if (resolution.rest.differing_bytes() == 0) return {};
  ReplayOptions watched = options;
  watched.threads = 1;  // as the resolution's replays
  put_in_place(watched, resolution.open);
  const std::set<std::string> kernels = suspects(resolution.rest);
  std::map<std::string, std::set<std::string>> races;  // by kernel
  for (const Cause& cause : find_causes(trace, watched, Sought::races).races)
    if (kernels.contains(cause.kernel)) races[cause.kernel].insert(cause.text);
  if (races.empty()) return {};
  std::vector<std::string> lines = {
      "weaker evidence: accesses race in kernels that ran before what differs, which may explain it; no "
      "order of threads "
      "that was tried gives the hardware's values place by place"};
  for (const auto& [kernel, texts] : races) {
    std::size_t shown = 0;
    for (const std::string& text : texts)
      if (shown++ < most_races_shown) lines.push_back("  " + text);
    if (shown > most_races_shown)
      lines.push_back(fmt::format("  ... and {} more in {}", shown - most_races_shown, kernel));
  }
  return lines;
}

}  // namespace wedjat::traces
