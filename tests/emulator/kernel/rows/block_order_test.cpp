#include "emulator/kernel/rows/block_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "emulator/kernel/rows/loop_regions.h"

using Blocks = std::vector<std::uint32_t>;

namespace {
Blocks block_order(const std::vector<Blocks>& successors) {
  return wedjat::kernel::block_order(successors).blocks;
}
}  // namespace

TEST_CASE("if and else stand before the block that joins them") {
  CHECK(block_order({{2, 1}, {3}, {3}, {}}) == Blocks{0, 1, 2, 3});
  // The else branch stands behind the join in the source.
  CHECK(block_order({{3, 1}, {2}, {}, {2}}) == Blocks{0, 1, 3, 2});
}

TEST_CASE("a loop is contiguous, what follows it comes after") {
  // 0 -> 1; loop 1 -> 4 -> 1 whose exit 2 stands inside it in the source
  CHECK(block_order({{1}, {2, 4}, {3}, {}, {1}}) == Blocks{0, 1, 4, 2, 3});
}

TEST_CASE("nested loops") {
  // 1 { 2 { 3 } 4 } 5
  CHECK(block_order({{1}, {2}, {3}, {2, 4}, {1, 5}, {}}) == Blocks{0, 1, 2, 3, 4, 5});
  // a continue of the outer loop from the inner one
  CHECK(block_order({{1}, {2}, {3, 5}, {2, 4}, {1}, {}}) == Blocks{0, 1, 2, 3, 4, 5});
}

TEST_CASE("how many loops a block is in") {
  CHECK(wedjat::kernel::block_order({{1}, {2}, {3}, {2, 4}, {1, 5}, {5, 6}, {}}).depth ==
        Blocks{0, 1, 2, 2, 1, 1, 0});
}

TEST_CASE("exits go last, unreachable blocks away") {
  CHECK(block_order({{1, 2}, {}, {3}, {}, {0}}) == Blocks{0, 2, 1, 3});
  CHECK(block_order({{1, 2}, {}, {1}}) == Blocks{0, 2, 1});
}

TEST_CASE("the entry may be a loop header, and loops irreducible") {
  CHECK(block_order({{1}, {0, 2}, {}}) == Blocks{0, 1, 2});
  const Blocks order = block_order({{1, 2}, {2, 3}, {1}, {}});
  CHECK(order.size() == 4);
  CHECK(order.front() == 0);
  CHECK(order.back() == 3);
}

TEST_CASE("many blocks, deep nests") {
  constexpr std::uint32_t depth = 20000;
  std::vector<Blocks> successors(2 * depth + 1);
  for (std::uint32_t i = 0; i < depth; ++i) {
    successors[i] = {i + 1};
    successors[2 * depth - 1 - i] = {i, 2 * depth - i};
  }
  successors[depth - 1] = {depth};
  const Blocks order = block_order(successors);
  CHECK(order.size() == 2 * depth + 1);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("loops are the same, found by intervals or by regions") {
  using wedjat::kernel::LoopForest;
  const auto headers_around = [](const LoopForest& forest, std::uint32_t block) {
    Blocks headers;
    for (std::uint32_t loop = forest.loop_of[block]; loop != LoopForest::none;
         loop = forest.loops[loop].outer)
      headers.push_back(forest.loops[loop].header);
    return headers;
  };
  std::mt19937 random(1);
  for (int graph = 0; graph < 2000; ++graph) {
    const std::uint32_t count = 2 + random() % 12;
    std::vector<Blocks> successors(count);
    for (std::uint32_t block = 0; block + 1 < count; ++block) {
      successors[block] = {block + 1};
      const std::uint32_t other = random() % count;
      if (random() % 2 != 0) successors[block].push_back(other);
    }
    const LoopForest found = wedjat::kernel::loop_forest(successors);
    LoopForest regions;
    regions.reached = found.reached;
    regions.loop_of.assign(count, LoopForest::none);
    wedjat::kernel::find_regions(successors, regions);
    for (std::uint32_t block : found.reached)
      CHECK(headers_around(found, block) == headers_around(regions, block));
  }
}
