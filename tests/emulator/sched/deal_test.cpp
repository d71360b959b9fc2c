// Which clusters each thread runs.
#include "emulator/sched/deal.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>
#include <vector>

using wedjat::sched::Deal;

namespace {

// All that is left, as one thread takes it.
std::vector<std::uint64_t> all_of(Deal& deal, unsigned hand) {
  std::vector<std::uint64_t> taken;
  for (;;) {
    const Deal::Claim claim = deal.take(hand);
    if (claim.first == claim.end) return taken;
    for (std::uint64_t i = claim.first; i != claim.end; ++i) taken.push_back(i);
  }
}

}  // namespace

TEST_CASE("one thread takes all clusters in their order") {
  for (const std::uint64_t count : {0u, 1u, 2u, 31u, 1000u}) {
    Deal deal(count, 1);
    CHECK(deal.left() == count);
    const std::vector<std::uint64_t> taken = all_of(deal, deal.own(0));
    CHECK(taken.size() == count);
    CHECK(std::ranges::is_sorted(taken));
    CHECK(deal.left() == 0);
  }
}

TEST_CASE("threads begin with what they had in the launch before, and each has a hand of its own") {
  for (int launch = 0; launch < 2; ++launch) {
    Deal deal(1000, 4);
    CHECK(deal.own(2) == 2);
    CHECK(deal.own(2) == 3);
    CHECK(deal.own(7) == 0);
    CHECK(deal.own(7) == 1);
    CHECK(deal.take(0).first == 0);
    CHECK(deal.take(1).first == 250);
    CHECK(deal.take(2).first == 500);
    CHECK(deal.take(3).first == 750);
    CHECK(deal.take(0).first > 0);
  }
}

TEST_CASE("a claim is at most 32 clusters, and single ones in the end") {
  Deal deal(100'000, 1);
  std::uint64_t largest = 0, last = 0;
  for (;;) {
    const Deal::Claim claim = deal.take(0);
    if (claim.first == claim.end) break;
    largest = std::max(largest, claim.end - claim.first);
    last = claim.end - claim.first;
  }
  CHECK(largest == 32);
  CHECK(last == 1);
}

TEST_CASE("who has none left takes half of what another has, from its end, and is told so") {
  Deal deal(64, 2);
  while (deal.left() > 32) CHECK(!deal.take(1).elsewhere);
  const Deal::Claim more = deal.take(1);
  CHECK(more.elsewhere);
  CHECK(more.first == 16);
  CHECK(!deal.take(1).elsewhere);
  CHECK(deal.take(0).first == 0);
}

TEST_CASE("of many threads each cluster is taken once") {
  constexpr unsigned threads = 4;
  for (const std::uint64_t count : {3u, 64u, 20'000u}) {
    Deal deal(count, threads);
    std::vector<std::vector<std::uint64_t>> taken(threads);
    std::vector<std::thread> running;
    for (unsigned t = 0; t < threads; ++t)
      running.emplace_back([&, t] { taken[t] = all_of(deal, deal.own(t)); });
    for (std::thread& thread : running) thread.join();
    std::vector<std::uint64_t> all;
    for (const auto& each : taken) all.insert(all.end(), each.begin(), each.end());
    std::ranges::sort(all);
    REQUIRE(all.size() == count);
    for (std::uint64_t i = 0; i < count; ++i) REQUIRE(all[i] == i);
    CHECK(deal.left() == 0);
  }
}
