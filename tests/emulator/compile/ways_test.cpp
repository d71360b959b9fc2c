// Short ways of lanes that part and meet again.
#include "emulator/compile/analysis/ways.h"

#include <doctest/doctest.h>

#include "tests/emulator/compile/hand_function.h"

using namespace wedjat;
using compile::Bounds;
using compile::Region;
using compile::region_from;
using compile::ways_from;
using kernel::End;
using test::HandFunction;
using Numbers = std::vector<std::uint32_t>;

namespace {

void some(HandFunction& f, unsigned steps = 1, std::uint16_t flags = 0) {
  f.block();
  for (unsigned i = 0; i < steps; ++i) f.step(0, 1, 1, false, flags);
}

// `@p bra 2; …; 2:`, the block that is skipped has so many steps.
HandFunction skip(unsigned steps = 1, std::uint16_t flags = 0) {
  HandFunction f;
  some(f);
  f.end(End::Branch, 2, 1, true);
  some(f, steps, flags);
  f.end(End::Fall, 2);
  some(f);
  f.end(End::Exit);
  return f;
}

// if and else
HandFunction two_ways() {
  HandFunction f;
  some(f);
  f.end(End::Branch, 2, 1, true);
  some(f);
  f.end(End::Branch, 3);
  some(f);
  f.end(End::Fall, 3);
  some(f);
  f.end(End::Exit);
  return f;
}

Bounds kept_whole(const HandFunction& f, std::set<std::uint32_t> stops) {
  Bounds bounds{.most_steps = 600, .stops = std::move(stops)};
  keep_ways_whole(f.code, 0, 0, bounds);
  return bounds;
}

std::optional<Numbers> blocks_of_ways(const HandFunction& f, const Bounds& bounds = {.most_steps = 600}) {
  const Region region = region_from(f.code, 0, 0, bounds);
  const auto ways = ways_from(f.code, region, region.nodes[0]);
  if (!ways) return std::nullopt;
  Numbers blocks;
  for (const std::uint32_t node : ways->inside) blocks.push_back(region.nodes[node].block);
  blocks.push_back(region.nodes[ways->meet].block);
  return blocks;
}

}  // namespace

TEST_CASE("the blocks of each way come first, then the one where all meet") {
  CHECK(blocks_of_ways(skip()) == Numbers{1, 2});
  CHECK(blocks_of_ways(two_ways()) == Numbers{1, 2, 3});
}

TEST_CASE("ways that are long, that only the loop can take, or that are not covered are none") {
  CHECK(blocks_of_ways(skip(100)) == Numbers{1, 2});
  CHECK(blocks_of_ways(skip(101)) == std::nullopt);
  CHECK(blocks_of_ways(two_ways(), {.most_steps = 600, .stops = {2}}) == std::nullopt);
  // Who meets there may go on in other code.
  CHECK(blocks_of_ways(two_ways(), {.most_steps = 600, .stops = {3}}) == Numbers{1, 2, 3});
}

TEST_CASE("lanes that end on the way are not waited for") {
  HandFunction f;
  some(f);
  f.end(End::Branch, 2, 1, true);
  some(f);
  f.end(End::Exit);
  some(f);
  f.end(End::Exit);
  CHECK(blocks_of_ways(f) == Numbers{1, 2});
}

TEST_CASE(
    "a region does not stop in the middle of a short way, for the lanes that parted could not meet in it") {
  CHECK(kept_whole(skip(), {1}).stops.empty());
  CHECK(kept_whole(skip(), {1, 2}).stops == std::set<std::uint32_t>{2});
  CHECK(kept_whole(two_ways(), {1, 2}).stops.empty());
  CHECK(kept_whole(skip(101), {1}).stops == std::set<std::uint32_t>{1});
}

TEST_CASE("loops and what lies elsewhere keep their own code") {
  HandFunction f;
  some(f);
  f.end(End::Fall, 1);
  some(f);
  f.end(End::Branch, 1, 2, true);
  some(f);
  f.end(End::Exit);
  CHECK(kept_whole(f, {1, 2}).stops == std::set<std::uint32_t>{1, 2});
}
