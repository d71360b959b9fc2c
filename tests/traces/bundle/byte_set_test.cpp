#include "traces/bundle/byte_set.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

using wedjat::traces::ByteSet;

namespace {

using Runs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Runs runs_of(const ByteSet& set) {
  Runs runs;
  set.each_run([&](std::uint64_t address, std::uint64_t bytes) { runs.emplace_back(address, bytes); });
  return runs;
}

}  // namespace

TEST_CASE("neighbours are one run, across words and pages") {
  ByteSet set;
  CHECK(set.empty());
  set.add(60, 8);
  set.add(68, 4096);
  set.add(9000, 1);
  CHECK(runs_of(set) == Runs{{60, 4104}, {9000, 1}});
  set.remove(64, 64);
  CHECK(runs_of(set) == Runs{{60, 4}, {128, 4036}, {9000, 1}});
  set.remove(0, 100'000);
  CHECK(set.empty());
  CHECK(runs_of(set).empty());
}

TEST_CASE("it holds what a set of numbers holds") {
  std::mt19937 random(1);
  ByteSet set;
  std::set<std::uint64_t> numbers;
  for (int i = 0; i < 4000; ++i) {
    const std::uint64_t at = random() % 20'000, bytes = 1 + random() % 200;
    const bool adds = random() % 3 != 0;
    adds ? set.add(at, bytes) : set.remove(at, bytes);
    for (std::uint64_t b = at; b < at + bytes; ++b) adds ? void(numbers.insert(b)) : void(numbers.erase(b));
  }
  std::set<std::uint64_t> held;
  for (const auto& [address, bytes] : runs_of(set))
    for (std::uint64_t b = address; b < address + bytes; ++b) held.insert(b);
  CHECK(held == numbers);
  for (std::uint64_t b = 0; b < 21'000; ++b) CHECK_MESSAGE(set.contains(b) == numbers.contains(b), b);
}
