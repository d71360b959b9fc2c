// Which step a row has its value from.
#include "emulator/compile/analysis/origins.h"

#include <doctest/doctest.h>

#include "tests/emulator/compile/hand_function.h"

using namespace wedjat;
using compile::Liveness;
using compile::Origins;
using kernel::End;
using test::HandFunction;

namespace {

// Block 0 writes rows 0 and 1; a loop of block 1 writes row 1; block 2 ends.
HandFunction with_loop(bool guarded = false) {
  HandFunction f;
  f.block();
  f.step(0, 5, 5, guarded);
  f.step(1, 5, 5);
  f.end(End::Fall, 1);
  f.block();
  f.step(1, 1, 0);
  f.end(End::Branch, 1, 2, true);
  f.block();
  f.step(2, 0, 1);
  f.end(End::Exit);
  return f;
}

struct Asked {
  explicit Asked(const HandFunction& f) : live(f.code), origins(f.code, live) {}
  std::uint32_t operator()(std::uint32_t block, std::uint32_t step, std::uint32_t row) const {
    return origins.before(block, step)[live.number(HandFunction::at(row))];
  }
  Liveness live;
  Origins origins;
};

}  // namespace

TEST_CASE("a row that one step writes has its value from there, around a loop too") {
  const HandFunction f = with_loop();
  const Asked origin(f);
  CHECK(origin(0, 0, 0) == Origins::beginning);
  CHECK(origin(0, 1, 0) == 0);
  CHECK(origin(1, 0, 0) == 0);
  CHECK(origin(2, 0, 0) == 0);
  CHECK(origin(2, 0, 5) == Origins::beginning);  // nothing writes it
}

TEST_CASE("a row that a loop writes again has it from several") {
  const HandFunction f = with_loop();
  const Asked origin(f);
  CHECK(origin(0, 2, 1) == 1);
  CHECK(origin(1, 0, 1) == Origins::several);
  CHECK(origin(1, 1, 1) == 2);  // behind the step itself
  CHECK(origin(2, 0, 1) == 2);
}

TEST_CASE("lanes that a guard leaves out keep what they had") {
  const HandFunction f = with_loop(true);
  CHECK(Asked(f)(1, 0, 0) == Origins::several);
}

TEST_CASE("what is never reached has no origin") {
  HandFunction f;
  f.block();
  f.step(0, 1, 1);
  f.end(End::Exit);
  f.block();
  f.step(2, 0, 0);
  f.end(End::Exit);
  CHECK(Asked(f)(1, 0, 0) == Origins::unreached);
}
