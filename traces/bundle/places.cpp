#include "traces/bundle/places.h"

#include <algorithm>
#include <set>

namespace wedjat::traces {
namespace {

bool is_in(const MovablePart& place, std::uint64_t from, std::uint64_t address) {
  return address - from < place.bytes + (place.variable.empty() ? 1 : 0);
}

bool meets(const std::vector<MovablePart>& all, std::uint64_t address, std::uint64_t bytes) {
  return std::ranges::any_of(all, [&](const MovablePart& place) {
    return address < place.address + place.bytes && place.address < address + bytes;
  });
}

}  // namespace

Places::Places(const Bundle& bundle) {
  for (const Bundle::Region& variable : bundle.variables)
    all_.push_back({variable.label, variable.address, variable.bytes, variable.address});
  std::set<std::pair<std::uint64_t, std::uint64_t>> ranges;  // first granule, one behind the last
  for (const Bundle::Region& region : bundle.memory) {
    const std::uint64_t beside = bundle.surroundings ? 1 : 0;
    ranges.emplace(region.address / granule - beside,
                   (region.address + region.bytes + granule - 1) / granule + beside);
  }
  for (auto range = ranges.begin(); range != ranges.end();) {
    const std::uint64_t first = range->first;
    std::uint64_t end = range->second;
    while (++range != ranges.end() && range->first <= end) end = std::max(end, range->second);
    all_.push_back({"", first * granule, (end - first) * granule, first * granule});
  }
}

Places Places::elsewhere(const Bundle& bundle, unsigned way) {
  Places places(bundle);
  std::vector<MovablePart*> order;
  std::uint64_t room = 0;
  for (MovablePart& place : places.all_) {
    order.push_back(&place);
    room += place.bytes / granule * granule + 16 * granule;
  }
  if (way % 2 != 0) std::ranges::reverse(order);
  constexpr std::uint64_t apart = std::uint64_t{1} << 38;
  std::uint64_t next = (8 + way) * apart;
  while (meets(places.all_, next, room)) next += apart;
  for (MovablePart* const place : order) {
    next += (3 + 2 * (way % 4)) * granule;
    place->at = next + place->address % granule;
    next += (place->address % granule + place->bytes + granule - 1) / granule * granule;
  }
  return places;
}

std::uint64_t Places::now(std::uint64_t recorded) const {
  for (const MovablePart& place : all_)
    if (is_in(place, place.address, recorded)) return place.at + (recorded - place.address);
  return recorded;
}

std::uint64_t Places::recorded(std::uint64_t now) const {
  for (const MovablePart& place : all_)
    if (is_in(place, place.at, now)) return place.address + (now - place.at);
  return now;
}

}  // namespace wedjat::traces
