#include "emulator/sched/shuffle.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace wedjat::sched;

TEST_CASE("each comes once, in another order for another number") {
  for (const std::uint64_t count : {1u, 2u, 7u, 32u, 1000u}) {
    std::set<std::vector<std::uint64_t>> orders;
    for (std::uint32_t number = 1; number <= 8; ++number) {
      std::vector<std::uint64_t> order;
      for (std::uint64_t place = 0; place < count; ++place) order.push_back(Shuffle(number).at(place, count));
      CHECK(std::set(order.begin(), order.end()).size() == count);
      CHECK(*std::max_element(order.begin(), order.end()) == count - 1);
      orders.insert(order);
    }
    if (count > 7) CHECK(orders.size() > 5);
  }
  CHECK(Shuffle(1).at(0, 5) == 4);
}

TEST_CASE("who is not held at once keeps its order") {
  for (std::uint64_t place = 0; place < 10; ++place) {
    const std::uint64_t at = shuffled(3, place, 10, 4);
    CHECK(at / 4 == place / 4);
    CHECK(at < 10);
  }
}

TEST_CASE("shares are as long as without shuffling, or mixed") {
  CHECK(Shuffle(1).share(5, 1000) == 1000);
  std::set<std::int64_t> shares;
  for (std::uint64_t turn = 0; turn < 1000; ++turn) shares.insert(Shuffle(2).share(turn, 1000));
  CHECK(*shares.begin() == 1);
  CHECK(*shares.rbegin() == 4096);
}
