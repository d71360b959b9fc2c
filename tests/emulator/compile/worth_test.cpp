// When code is ordered for a place: not before it pays.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "emulator/compile/tier/kernel_code.h"
#include "tests/emulator/compile/hand_function.h"

using namespace wedjat;
using compile::KernelCode;
using kernel::End;
using test::HandFunction;

namespace {

struct Counted final : compile::Orders {
  void place(std::shared_ptr<KernelCode>, std::uint64_t key) override {
    ++orders;
    last = key;
  }
  unsigned processors() const override { return number; }
  unsigned orders = 0;
  std::uint64_t last = 0;
  unsigned number = 64;
};

struct Place {
  explicit Place(const HandFunction& f, compile::TierOptions how = {})
      : options(std::move(how)), rows(HandFunction::at(64)) {
    auto made = std::make_shared<kernel::Kernel>();
    made->name = "hand";
    made->functions.push_back(f.code);
    code = std::make_shared<KernelCode>(made, compile::Geometry{}, options, library, counted, journal);
  }

  /// Paths of some lanes come to the start of a block, `visits` times.
  void visit(std::uint32_t block, std::uint32_t visits, std::uint32_t mask = exec::all_lanes) {
    exec::Entry& entry = code->entry(0, block, 0);
    for (std::uint32_t i = 0; i < visits; ++i) {
      const std::uint32_t now = ++entry.visits;
      if ((now & code->unasked) == 0)
        code->visited({0, block, 0}, entry, now, {rows.data(), mask, ~0u, code->paths_of(mask, code->whole)});
    }
  }

  compile::TierOptions options;
  compile::Library library{"", {}};
  Counted counted;
  compile::Journal journal;
  std::vector<std::byte> rows;
  std::shared_ptr<KernelCode> code;
};

HandFunction straight(unsigned steps) {
  HandFunction f;
  f.block();
  for (unsigned i = 0; i < steps; ++i) f.step(0, 1, 1);
  f.end(End::Exit);
  return f;
}

HandFunction loop(unsigned steps) {
  HandFunction f;
  f.block();
  f.step(0, 1, 1);
  f.end(End::Fall, 1);
  f.block();
  for (unsigned i = 0; i < steps; ++i) f.step(0, 1, 1);
  f.end(End::Branch, 1, 2, true);
  f.block();
  f.end(End::Exit);
  return f;
}

}  // namespace

TEST_CASE("a place that runs seldom gets no code, one that runs often gets it once") {
  const HandFunction f = straight(40);
  Place place(f);
  place.visit(0, 30'000);
  CHECK(place.counted.orders == 0);
  place.visit(0, 200'000);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("a launch that has all processors gains code back from what it has left") {
  const HandFunction f = straight(40);
  Place place(f);
  exec::Course& course = place.code->course;
  unsigned threads = 1;
  SUBCASE("one") {}
  SUBCASE("two") { threads = 2; }
  place.counted.number = threads;
  course.begin(100, threads);
  SUBCASE("which is little") {
    course.take(60);
    place.visit(0, 80'000 * threads);
    CHECK(place.counted.orders == 0);
    SUBCASE("but launches that came will come again") {
      course.take(40);
      course.begin(100, threads);
      course.take(1);
      place.visit(0, 70'000 * threads);
      CHECK(place.counted.orders == 1);
    }
    SUBCASE("and there are more") {
      place.counted.number = threads + 1;
      place.visit(0, 20'000);
      CHECK(place.counted.orders == 1);
    }
  }
  SUBCASE("which is much") {
    course.take(10);
    place.visit(0, 80'000 * threads);
    CHECK(place.counted.orders == 1);
  }
}

TEST_CASE("many threads are not disturbed by one that makes code") {
  const HandFunction f = straight(40);
  Place place(f);
  place.counted.number = 16;
  place.code->course.begin(100, 16);
  place.code->course.take(90);
  place.visit(0, 80'000);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("accesses to memory take longer to make") {
  HandFunction f = straight(40);
  kernel::Form load{};
  load.effects = kernel::effect::reads_memory;
  for (kernel::Step& step : f.code.steps) step.form = &load;
  Place place(f);
  place.counted.number = 1;
  place.code->course.begin(100, 1);
  place.code->course.take(10);
  place.visit(0, 80'000);
  CHECK(place.counted.orders == 0);
}

TEST_CASE("places beyond those that get code are not looked at again") {
  constexpr std::uint32_t places = 258;
  HandFunction f;
  for (std::uint32_t i = 0; i < places; ++i) {
    f.block();
    for (unsigned step = 0; step < 40; ++step) f.step(0, 1, 1);
    f.end(End::Exit);
  }
  Place place(f);
  for (std::uint32_t i = 0; i < places; ++i) place.visit(i, 70'000);
  CHECK(place.counted.orders == 256);
  REQUIRE(place.journal.reports().size() == 1);
  CHECK(place.journal.reports().front().failures.contains("more than 256 places"));
  const exec::NativeKernel::Visitor without_rows{nullptr, exec::all_lanes, ~0u, exec::PathKind::whole};
  exec::Entry& last = place.code->entry(0, places - 1, 0);
  const bool none = place.code->visited({0, places - 1, 0}, last, 1 << 20, without_rows) == nullptr;
  CHECK(none);
}

TEST_CASE("where code is made before it runs, that of a kernel has a limit") {
  HandFunction f;
  for (std::uint32_t i = 0; i < 60; ++i) {
    f.block();
    for (unsigned step = 0; step < 300; ++step) f.step(0, 1, 1);
    f.end(i == 59 ? End::Exit : End::Fall, i + 1);
  }
  Place place(f, {.when = compile::When::always});
  for (std::uint32_t i = 0; i < 40; ++i) place.visit(i, 1);
  REQUIRE(place.journal.reports().size() == 1);
  const std::string more = "more than 30000 steps of code";
  CHECK_FALSE(place.journal.reports().front().failures.contains(more));
  for (std::uint32_t i = 40; i < 60; ++i) place.visit(i, 1);
  CHECK(place.journal.reports().front().failures.contains(more));
}

TEST_CASE("of long code each step has to run more often") {
  const HandFunction f = straight(400);
  Place place(f);
  place.visit(0, 80'000);
  CHECK(place.counted.orders == 0);
  place.visit(0, 80'000);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("short code without a loop pays only where it is all that whole warps do") {
  const HandFunction f = straight(4);
  Place place(f);
  place.visit(0, 1'000'000, 1);
  CHECK(place.counted.orders == 0);
  place.visit(0, 1'000'000);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("short code that calls does not pay") {
  HandFunction f = straight(4);
  f.block();
  f.end(End::Call, 0, 0);
  Place place(f);
  place.visit(1, 1'000'000);
  CHECK(place.counted.orders == 0);
}

TEST_CASE("short code from one barrier to the next pays, for whole warps") {
  HandFunction f;
  f.block();
  f.step(0, 1, 1);
  f.step(0, 0, 0, false, kernel::step_flag::barrier);
  f.step(0, 0, 1);
  f.end(End::Exit);
  Place place(f);
  place.visit(0, 1'000'000, 1);
  CHECK(place.counted.orders == 0);
  place.visit(0, 1'000'000);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("short code pays in a kernel whose warps meet at barriers, for whole warps") {
  HandFunction f = straight(4);
  f.block();
  f.step(0, 0, 0, false, kernel::step_flag::barrier);
  f.end(End::Exit);
  Place place(f);
  place.visit(0, 1'000'000, 1);
  CHECK(place.counted.orders == 0);
  place.visit(0, 1'000'000);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("a barrier that stands at the place itself is the loop's") {
  HandFunction f;
  f.block();
  f.step(0, 0, 0, false, kernel::step_flag::barrier);
  f.end(End::Exit);
  Place place(f);
  place.visit(0, 1'000'000);
  CHECK(place.counted.orders == 0);
}

TEST_CASE("a short loop pays") {
  const HandFunction f = loop(4);
  Place place(f);
  place.visit(1, 1'000'000);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("a short loop of several blocks pays, also for some lanes") {
  HandFunction f;
  f.block();
  f.end(End::Fall, 1);
  f.block();
  f.step(0, 1, 1);
  f.end(End::Branch, 3, 2, true);
  f.block();
  f.step(0, 1, 1);
  f.end(End::Branch, 1, 3, true);
  f.block();
  f.end(End::Exit);
  Place place(f);
  place.visit(1, 2'000'000, 0xffff);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("what runs often on the way from a place counts for it") {
  const HandFunction f = loop(40);
  Place place(f);
  // The loop's own entry was never asked: it runs natively elsewhere, say.
  place.code->entry(0, 1, 0).visits = 300'000;
  place.visit(0, 1024);
  CHECK(place.counted.orders == 1);
}

TEST_CASE("an order is dropped if other code runs the place by the time its turn comes, and may come again") {
  const HandFunction f = straight(40);
  Place place(f);
  place.visit(0, 200'000);
  REQUIRE(place.counted.orders == 1);
  place.code->entry(0, 0, 0).visits = 0;  // as by other code
  place.code->make(place.counted.last);
  place.visit(0, 30'000);
  CHECK(place.counted.orders == 1);
  place.visit(0, 200'000);
  CHECK(place.counted.orders == 2);
}
