// What a piece of native code covers.
#include "emulator/compile/analysis/region.h"

#include <doctest/doctest.h>

#include "tests/emulator/compile/hand_function.h"

using namespace wedjat;
using compile::Region;
using compile::region_from;
using kernel::End;
using test::HandFunction;

namespace {

HandFunction loop_with_barrier() {
  HandFunction f;
  f.block();
  f.step(0, 1, 1);
  f.end(End::Fall, 1);
  f.block();
  f.step(1, 0, 0);
  f.step(2, 0, 0, false, kernel::step_flag::barrier);
  f.step(3, 0, 0);
  f.end(End::Branch, 1, 2, true);
  f.block();
  f.end(End::Exit);
  return f;
}

}  // namespace

TEST_CASE("a region ends before a step that the loop has to do") {
  const HandFunction f = loop_with_barrier();
  const Region region = region_from(f.code, 0, 0, {.most_steps = 100});
  REQUIRE(region.nodes.size() == 2);
  CHECK(region.nodes[0].next == std::vector<std::uint32_t>{1});
  CHECK(region.nodes[1].last == 1);
  CHECK(!region.nodes[1].ends(f.code));
}

TEST_CASE("a region begins behind such a step, and comes to it again") {
  const HandFunction f = loop_with_barrier();
  const Region region = region_from(f.code, 1, 2, {.most_steps = 100});
  REQUIRE(region.nodes.size() == 3);
  CHECK(region.nodes[0].first == 2);
  CHECK(region.nodes[0].ends(f.code));
  CHECK(region.nodes[0].next == std::vector<std::uint32_t>{1, 2});
  CHECK(region.nodes[1].first == 0);
  CHECK(region.nodes[2].block == 2);
}

TEST_CASE("what is too long stays outside") {
  const HandFunction f = loop_with_barrier();
  const Region region = region_from(f.code, 0, 0, {.most_steps = 1});
  REQUIRE(region.nodes.size() == 2);
  CHECK(region.nodes[0].next == std::vector<std::uint32_t>{1});
  CHECK(region.nodes[1].outside);
  CHECK(region.nodes[1].block == 1);
  CHECK(!region.nodes[1].ends(f.code));
}

TEST_CASE(
    "a region ends before blocks that have code of their own, and where another path has to run first") {
  const HandFunction f = loop_with_barrier();
  const Region stops = region_from(f.code, 1, 2, {.most_steps = 100, .stops = {1}});
  REQUIRE(stops.nodes.size() == 3);
  CHECK(!stops.nodes[0].outside);  // the entry itself is in the middle of such a block
  CHECK(stops.nodes[1].outside);
  CHECK(!stops.nodes[2].outside);
  const Region until = region_from(f.code, 1, 2, {.most_steps = 100, .until = 2});
  REQUIRE(until.nodes.size() == 3);
  CHECK(!until.nodes[1].outside);
  CHECK(until.nodes[2].outside);
}

TEST_CASE("a loop that has code of its own at its start is one node that comes to itself") {
  HandFunction f;
  f.block();
  f.step(0, 0, 0);
  f.end(End::Branch, 0, 1, true);
  f.block();
  f.end(End::Exit);
  const Region region = region_from(f.code, 0, 0, {.most_steps = 100, .stops = {0}});
  REQUIRE(region.nodes.size() == 2);
  CHECK(region.nodes[0].next == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("a number makes regions end early, never before their first step") {
  HandFunction f;
  f.block();
  for (std::uint32_t row = 0; row < 20; ++row) f.step(row, 30, 30);
  f.end(End::Exit);
  bool early = false;
  for (std::uint32_t leave = 1; leave < 9; ++leave) {
    const Region region = region_from(f.code, 0, 0, {.most_steps = 100, .leave = leave});
    CHECK(region.nodes[0].last > 0);
    early |= !region.nodes[0].ends(f.code);
  }
  CHECK(early);
}
