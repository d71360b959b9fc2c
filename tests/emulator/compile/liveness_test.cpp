// Which rows may be read again.
#include "emulator/compile/analysis/liveness.h"

#include <doctest/doctest.h>

#include "tests/emulator/compile/hand_function.h"

using namespace wedjat;
using compile::Liveness;
using kernel::End;
using test::HandFunction;

TEST_CASE("a row is live from its last write to its last read, around loops too") {
  HandFunction f;
  f.block();
  f.step(0, 5, 5);
  f.end(End::Fall, 1);
  f.block();
  f.step(1, 0, 5);
  f.step(0, 1, 1);
  f.end(End::Branch, 1, 2, true);
  f.block();
  f.step(2, 0, 0);
  f.end(End::Exit);
  const Liveness live(f.code);
  const auto is_live = [&](std::uint32_t block, std::uint32_t step, std::uint32_t row) {
    return live.through(block)[step].has(live.number(HandFunction::at(row)));
  };
  CHECK(is_live(0, 0, 5));
  CHECK(!is_live(0, 0, 0));
  CHECK(is_live(1, 0, 0));
  CHECK(!is_live(1, 1, 0));  // written again
  CHECK(is_live(1, 1, 1));
  CHECK(!is_live(1, 2, 1));
  CHECK(is_live(1, 2, 5));  // the loop reads it again
  CHECK(!is_live(2, 0, 5));
  CHECK(!is_live(2, 1, 0));
  CHECK(live.at(0).has(live.number(0)));  // the guard of the branch
}

TEST_CASE("a guarded write leaves lanes as they were") {
  HandFunction f;
  f.block();
  f.step(0, 1, 1, true);
  f.step(2, 0, 0);
  f.end(End::Exit);
  const Liveness live(f.code);
  CHECK(live.at(0).has(live.number(HandFunction::at(0))));
  CHECK(live.at(0).has(live.number(0)));
}
