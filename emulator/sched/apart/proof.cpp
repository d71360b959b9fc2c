#include "emulator/sched/apart/proof.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "emulator/sched/apart/walk.h"

namespace wedjat::sched::apart {

namespace {

constexpr std::size_t most_touched = 256, most_places = 64, most_shown = 8;
// Smaller launches are over before it is shown, unless the one before took so long.
constexpr std::uint64_t least_warps = 256;
constexpr double long_seconds = 0.001;
// Of the time that the kernel runs, and to begin with.
constexpr double share_of_proofs = 0.05, first_seconds = 0.002;
// A range of so many times what is written of it.
constexpr Wide sparsest = 4;

struct Addresses {
  std::uint64_t first, end;
};

Addresses addresses_of(const Range& range) {
  constexpr Wide last = ~std::uint64_t{0};
  return {static_cast<std::uint64_t>(std::clamp<Wide>(range.least, 0, last)),
          static_cast<std::uint64_t>(std::clamp<Wide>(range.most, 0, last))};
}

// Whether the allocations that the ranges reach are memory of their own: one memory may appear at two
// addresses, which would look like two.
bool have_own_memory(const exec::Launch& launch, const std::vector<Reached>& reached) {
  std::map<std::uint64_t, memory::Extent> places;
  for (const Reached& each : reached) {
    const auto [first, end] = addresses_of(each.range);
    const auto found = launch.memory.within(first, end, most_places);
    if (found.size() == most_places) return false;
    for (const memory::Extent& extent : found) places.emplace(extent.address, extent);
    const memory::Window& constants = launch.constants;
    if (each.writes && first < constants.base + constants.size && constants.base < end) return false;
  }
  std::vector<memory::Extent> by_host;
  by_host.reserve(places.size());
  for (const auto& [address, extent] : places) by_host.push_back(extent);
  std::ranges::sort(by_host, {}, &memory::Extent::host);
  const auto overlap = [](const memory::Extent& a, const memory::Extent& b) {
    return b.host < a.host + a.size;
  };
  return std::ranges::adjacent_find(by_host, overlap) == by_host.end();
}

// Whether most of the range is written: all of it has to be kept where others read who knows where.
bool is_dense(const Touched& written) {
  const Range all = written.all();
  return all.span() <= sparsest * written.most();
}

std::optional<Apart> shown_apart(const std::vector<Touched>& touched, const Symbols& symbols) {
  Apart apart;
  for (const Touched& a : touched) {
    const bool is_apart = std::ranges::all_of(touched, [&](const Touched& b) {
      return (!a.writes && !b.writes) || (a.writes && !b.writes && b.indirect) || are_apart(a, b, symbols);
    });
    if (is_apart)
      apart.reached.push_back({a.all(), a.writes});
    else if (a.writes || !a.indirect)
      return {};
    else
      apart.indirect.push_back(a.step);
  }
  const auto sparse = [](const Touched& each) { return each.writes && !is_dense(each); };
  if (!apart.indirect.empty() && std::ranges::any_of(touched, sparse)) return {};
  return apart;
}

std::optional<Apart> apart_of(const exec::Launch& launch) {
  const kernel::Function& function = launch.kernel.functions.front();
  if (launch.kernel.ordered || !function.refused.empty()) return {};
  Symbols symbols;
  Steps steps(launch, symbols);
  try {
    State beginning = steps.at_beginning();
    Walk(function, steps, symbols).run(std::move(beginning));
  } catch (const Unknown&) {
    return {};
  }
  if (steps.touched.size() > most_touched) return {};
  return shown_apart(steps.touched, symbols);
}

std::uint64_t warps_of(const exec::Launch& launch) {
  return launch.grid.count() * ((launch.block.count() + 31) / 32);
}

}  // namespace

std::vector<memory::Extent> memory_of(const Reached& reached, const memory::DeviceMemory& memory) {
  const auto [first, end] = addresses_of(reached.range);
  std::vector<memory::Extent> found = memory.within(first, end, most_places);
  for (memory::Extent& extent : found) {
    const std::uint64_t low = std::max(first, extent.address),
                        high = std::min(end, extent.address + extent.size);
    extent = {low, high - low, extent.host + (low - extent.address)};
  }
  return found;
}

bool Proofs::Shown::is_of(const exec::Launch& launch) const {
  const auto same = [](const exec::Dim3& a, const exec::Dim3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  };
  return same(grid, launch.grid) && same(block, launch.block) &&
         std::ranges::equal(parameters, launch.parameters);
}

const Proofs::Shown& Proofs::show(const exec::Launch& launch) {
  const auto begin = std::chrono::steady_clock::now();
  shown_.push_front(
      {launch.grid, launch.block, {launch.parameters.begin(), launch.parameters.end()}, apart_of(launch)});
  if (shown_.size() > most_shown) shown_.pop_back();
  proving_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return shown_.front();
}

const Apart* Proofs::of(const exec::Launch& launch) {
  // One address would stand for several.
  if (launch.multicast != nullptr && !launch.multicast->empty()) return nullptr;
  auto known = std::ranges::find_if(shown_, [&](const Shown& each) { return each.is_of(launch); });
  if (known == shown_.end()) {
    const bool is_brief = warps_of(launch) < least_warps && last_ < long_seconds;
    if (is_brief || proving_ > first_seconds + share_of_proofs * running_) return nullptr;
    show(launch);
    known = shown_.begin();
  }
  return known->apart && have_own_memory(launch, known->apart->reached) ? &*known->apart : nullptr;
}

}  // namespace wedjat::sched::apart
