#include "traces/order/resolve.h"

#include <map>

#include "emulator/hooks/hooks.h"

namespace wedjat::traces {
namespace {

constexpr int most_rounds = 8;  // what was computed from one open place may open others
constexpr std::uint64_t most_watched = std::uint64_t{1} << 24;  // bytes

std::vector<Place> differing(const ReplayReport& report) {
  std::vector<Place> places;
  std::uint64_t bytes = 0;
  for (const Checked& checked : report.checked) {
    for (const auto& [first, last] : checked.difference.ranges) {
      bytes += last - first + 1;
      if (bytes > most_watched) return places;
      places.push_back({checked.address + first, last - first + 1});
    }
  }
  return places;
}

// By launch: what the hardware left there.
using Choices = std::multimap<std::uint64_t, const Open*>;

}  // namespace

Resolution resolve_order(const Trace& trace, ReplayOptions options, const ReplayReport& report) {
  Resolution resolution{{}, report};
  std::vector<Open> found;
  for (int round = 0; round < most_rounds && !resolution.rest.exact(); ++round) {
    WriteLog log(differing(resolution.rest));
    hooks::Hooks hooks;
    log.attach(hooks);
    Choices choices;
    for (const Open& open : resolution.open) choices.emplace(open.launch, &open);
    std::uint64_t launches = 0;
    found.clear();
    options.hooks = &hooks;
    options.launched = [&](device::Device& device) {
      const auto [first, end] = choices.equal_range(launches++);
      for (auto choice = first; choice != end; ++choice)
        device.write(choice->second->place.address, choice->second->hardware);
    };
    options.differs = [&](const Checked& checked, std::span<const std::byte> expected,
                          std::span<const std::byte> got) {
      for (Open& open : explain({checked.sequence, checked.address, expected, got}, log))
        found.push_back(std::move(open));
    };
    resolution.rest = replay(trace, options);
    if (found.empty()) break;
    std::ranges::move(found, std::back_inserter(resolution.open));
  }
  return resolution;
}

}  // namespace wedjat::traces
