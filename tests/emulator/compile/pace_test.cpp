// Where code asks whether its share is over.
#include "emulator/compile/analysis/pace.h"

#include <doctest/doctest.h>

#include "emulator/exec/cta/costs.h"
#include "tests/emulator/compile/hand_function.h"

using namespace wedjat;
using compile::Pace;
using compile::pace_of;
using compile::region_from;
using exec::communication_cost;
using kernel::End;
using test::HandFunction;

namespace {

Pace pace(const HandFunction& f) {
  return pace_of(f.code, region_from(f.code, 0, 0, {.most_steps = 10'000}));
}

}  // namespace

TEST_CASE("straight code asks once, for all ends of blocks but the last") {
  HandFunction f;
  f.block();
  f.step(0, 1, 1);
  f.step(0, 1, 1);
  f.end(End::Branch, 2, 1, true);
  f.block();
  f.step(0, 1, 1);
  f.end(End::Fall, 2);
  f.block();
  f.step(0, 1, 1);
  f.end(End::Exit);
  CHECK(pace(f) == Pace{3 + 2, {}, {}});
}

TEST_CASE("each loop asks where it begins, and one of a single block for itself alone") {
  HandFunction f;
  f.block();
  f.step(0, 1, 1);
  f.end(End::Fall, 1);
  f.block();  // a loop over blocks 1 and 2
  f.step(0, 1, 1);
  f.end(End::Branch, 3, 2, true);
  f.block();  // a loop of itself
  f.step(0, 1, 1);
  f.end(End::Branch, 2, 1, true);
  f.block();
  f.end(End::Exit);
  // Nodes as they are found: blocks 0, 1, 3, 2.
  // The end of block 1 may lead to block 3, which does not ask.
  CHECK(pace(f) == Pace{0, 2, {}, 0});
}

TEST_CASE("what communicates costs more, and long ways are asked about on the way") {
  HandFunction f;
  constexpr std::uint32_t blocks = 40;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    f.block();
    f.step(0, 1, 1, false, kernel::step_flag::communicates);
    f.end(End::Fall, block + 1);
  }
  f.block();
  f.end(End::Exit);
  const Pace pace = ::pace(f);
  std::uint64_t asked = 0;
  for (const auto& spent : pace) {
    if (!spent) continue;
    ++asked;
    CHECK(*spent % (2 + communication_cost) == 0);
    CHECK(*spent <= 4096);
  }
  CHECK(asked == 3);
}
