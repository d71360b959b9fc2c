#include "traces/order/resolve.h"

#include <map>

#include "emulator/hooks/hooks.h"
#include "traces/order/vary.h"

namespace wedjat::traces {
namespace {

constexpr int most_rounds = 8;  // what was computed from one open place may open others

}  // namespace

void put_in_place(ReplayOptions& options, const std::vector<Open>& open) {
  std::multimap<std::uint64_t, const Open*> choices;  // by launch
  for (const Open& one : open) choices.emplace(one.launch, &one);
  options.launched = [choices = std::move(choices),
                      launches = std::uint64_t{0}](device::Device& device) mutable {
    const auto [first, end] = choices.equal_range(launches++);
    for (auto choice = first; choice != end; ++choice)
      device.write(choice->second->place.address, choice->second->hardware);
  };
}

Resolution resolve_order(const Trace& trace, ReplayOptions options) {
  options.threads = 1;  // with several, races of plain stores end otherwise from replay to replay
  Resolution resolution{{}, replay(trace, options)};
  std::vector<Open> found;
  for (int round = 0; round < most_rounds && !resolution.rest.exact(); ++round) {
    WriteLog log(differing_places(resolution.rest));
    hooks::Hooks hooks;
    log.attach(hooks);
    found.clear();
    options.hooks = &hooks;
    put_in_place(options, resolution.open);
    options.differs = [&](const Checked& checked, std::span<const std::byte> expected,
                          std::span<const std::byte> got) {
      for (Open& open : explain({checked.sequence, checked.address, expected, got}, log))
        found.push_back(std::move(open));
    };
    resolution.rest = replay(trace, options);
    if (found.empty() && !resolution.rest.exact())
      found = vary(trace, options, resolution.open, resolution.rest);
    if (found.empty()) break;
    std::ranges::move(found, std::back_inserter(resolution.open));
  }
  return resolution;
}

}  // namespace wedjat::traces
