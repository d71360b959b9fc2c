// What a log finds of the writes that touch a place: all of them, once each, in the order they happened.
#include "traces/order/write_log.h"

#include <doctest/doctest.h>

#include <random>

using namespace wedjat::traces;

namespace {

constexpr std::uint64_t base = 0x7f0000000000;

bool touch(Place a, Place b) { return a.address < b.address + b.bytes && b.address < a.address + a.bytes; }

std::vector<Place> places_of(const std::vector<const Write*>& writes) {
  std::vector<Place> places;
  for (const Write* write : writes) places.push_back(write->place);
  return places;
}

}  // namespace

TEST_CASE("writes of all sizes, as if each had been looked at") {
  // Two watched places, of one joined from two, with bytes between them that nobody watches.
  WriteLog log{{{base, 100}, {base + 100, 28}, {base + 300, 40}}};
  const auto watched = [](Place p) { return touch(p, {base, 128}) || touch(p, {base + 300, 40}); };
  std::vector<Place> all;
  std::mt19937 random(7);
  const auto place = [&] {
    constexpr std::uint64_t sizes[] = {1, 2, 4, 8, 16, 40, 350};
    return Place{base - 20 + random() % 400, sizes[random() % std::size(sizes)]};
  };
  for (int i = 0; i < 2000; ++i) {
    Write write;
    write.place = place();
    CHECK(log.watches(write.place.address, write.place.bytes) == watched(write.place));
    if (!watched(write.place)) continue;
    log.add(write);
    all.push_back(write.place);
  }
  for (int i = 0; i < 300; ++i) {
    // Within one watched place, as what differs is.
    const Place asked = random() % 2 != 0 ? Place{base + random() % 112, 1 + random() % 16}
                                          : Place{base + 300 + random() % 24, 1 + random() % 16};
    std::vector<Place> expected;
    for (const Place& one : all)
      if (touch(one, asked)) expected.push_back(one);
    CHECK(places_of(log.writes(asked)) == expected);
  }
}
