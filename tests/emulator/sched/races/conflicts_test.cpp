// When the order of CTAs mattered, told from what they touched.
#include "emulator/sched/races/conflicts.h"

#include <doctest/doctest.h>

#include <deque>
#include <optional>
#include <vector>

#include "tests/emulator/exec/hand_kernel.h"

using namespace wedjat;
using exec::Phase;
using exec::Use;
using sched::are_apart;
using sched::has_conflict;

namespace {

// Two pages of memory and the threads of a launch that touch them. Updates of step 0 do not commute.
struct Grounds {
  explicit Grounds(bool ordered = false, bool owned = false) : kernel(test::hand_kernel("k", 1, 0)) {
    kernel.origins.resize(1);
    kernel.ordered = ordered;
    updates.emplace(kernel);
    launch.emplace(*updates, false, std::uint64_t{1} << 20, owned);
  }
  exec::Watch& thread() { return threads.emplace_back(*launch); }
  void touch(exec::Watch& by, Use use, std::size_t offset, std::size_t bytes) {
    by.follow(extent(), use, 0);
    by.note(extent(), use, 0, extent().host + offset, bytes);
  }
  std::byte& byte(std::size_t offset) { return extent().host[offset]; }
  memory::Extent extent() { return {0x1000, 64 * memory.size(), memory.front().bytes}; }

  kernel::Kernel kernel;
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> memory = std::vector<Line>(128);
  std::optional<exec::KernelUpdates> updates;
  std::optional<exec::LaunchWatch> launch;
  std::deque<exec::Watch> threads;
};

}  // namespace

TEST_CASE("bytes of one line by two threads: who shares none has no conflict") {
  Grounds grounds;
  exec::Watch &one = grounds.thread(), &two = grounds.thread();
  one.enter(nullptr, 0);
  two.enter(nullptr, 1);
  grounds.touch(one, Use::write, 100, 1);
  grounds.touch(two, Use::write, 101, 3);
  grounds.touch(one, Use::read, 4000, 200);
  grounds.touch(two, Use::read, 4000, 200);
  CHECK_FALSE(has_conflict(*grounds.launch));

  SUBCASE("a write where another wrote") { grounds.touch(two, Use::write, 90, 11); }
  SUBCASE("a read where another wrote") { grounds.touch(two, Use::read, 100, 1); }
  SUBCASE("a write where another read, over two pages") { grounds.touch(two, Use::write, 4090, 8); }
  SUBCASE("an update that does not commute") {
    grounds.touch(one, Use::update, 512, 4);
    grounds.touch(two, Use::update, 512, 4);
  }
  CHECK(has_conflict(*grounds.launch));
}

TEST_CASE("CTAs that one thread runs one after the other are in order; one that stops half-way is not") {
  Grounds grounds;
  exec::Watch& thread = grounds.thread();
  thread.enter(nullptr, 0);
  grounds.touch(thread, Use::write, 0, 4);
  thread.enter(nullptr, 1);
  grounds.touch(thread, Use::write, 0, 4);
  CHECK_FALSE(has_conflict(*grounds.launch));
  exec::Footprint* const own = thread.part();
  thread.enter(nullptr, 2);
  grounds.touch(thread, Use::write, 4, 4);
  CHECK_FALSE(has_conflict(*grounds.launch));
  thread.enter(own, 1);
  grounds.touch(thread, Use::read, 4, 4);
  CHECK(has_conflict(*grounds.launch));
}

TEST_CASE("what a CTA did before its turn is in order with the turns after its own") {
  Grounds grounds(true);
  exec::Watch &one = grounds.thread(), &two = grounds.thread();
  two.enter(nullptr, 5);
  grounds.touch(two, Use::write, 0, 4);
  one.enter(nullptr, 7);
  one.take_turn(true);
  SUBCASE("its turn came") {
    grounds.launch->turned = 8;
    grounds.touch(one, Use::read, 0, 4);
    CHECK_FALSE(has_conflict(*grounds.launch));
  }
  SUBCASE("its turn is still to come") {
    grounds.launch->turned = 5;
    grounds.touch(one, Use::read, 0, 4);
    CHECK(has_conflict(*grounds.launch));
  }
  SUBCASE("turns are in order among themselves") {
    grounds.launch->turned = 8;
    grounds.touch(one, Use::write, 64, 4);
    two.take_turn(true);
    grounds.touch(two, Use::write, 64, 4);
    CHECK_FALSE(has_conflict(*grounds.launch));
  }
  SUBCASE("after a turn that it lost, a CTA is in order with itself alone") {
    exec::Footprint& after = grounds.launch->make(Phase::after);
    grounds.launch->turned = 8;
    grounds.touch(one, Use::write, 64, 4);
    one.enter(&after, 7);
    grounds.touch(one, Use::write, 64, 4);
    CHECK_FALSE(has_conflict(*grounds.launch));
    grounds.touch(one, Use::read, 0, 4);
    CHECK(has_conflict(*grounds.launch));
  }
}

TEST_CASE("what was written is as before once it is undone") {
  Grounds grounds;
  grounds.byte(10) = std::byte{1};
  exec::Watch& thread = grounds.thread();
  thread.enter(nullptr, 0);
  grounds.touch(thread, Use::write, 10, 1);
  grounds.byte(10) = std::byte{2};
  grounds.touch(thread, Use::write, 5000, 1);
  grounds.byte(5000) = std::byte{3};
  grounds.launch->restore();
  CHECK(grounds.byte(10) == std::byte{1});
  CHECK(grounds.byte(5000) == std::byte{0});
}

TEST_CASE("reads that nobody noted of memory that is written after all end the attempt") {
  Grounds grounds;
  exec::Watch& thread = grounds.thread();
  thread.enter(nullptr, 0);
  CHECK(thread.follow(grounds.extent(), Use::read, 0));
  CHECK(thread.learned());
  CHECK_FALSE(thread.follow(grounds.extent(), Use::read, 0));
  CHECK_THROWS_AS(thread.follow(grounds.extent(), Use::write, 0), exec::Abandoned);
  CHECK(grounds.launch->missed_reads());
  CHECK(grounds.launch->abandoned());
}

TEST_CASE("clusters are apart if none changed a word that another one touched, whichever thread ran them") {
  Grounds grounds(false, true);
  exec::Watch &one = grounds.thread(), &two = grounds.thread();
  one.enter(nullptr, 0);
  grounds.touch(one, Use::write, 64, 64);
  grounds.touch(one, Use::read, 64, 64);
  grounds.touch(one, Use::read, 4096, 64);
  one.enter(nullptr, 2);
  grounds.touch(one, Use::read, 4096, 64);
  two.enter(nullptr, 1);
  grounds.touch(two, Use::write, 128, 3);
  grounds.touch(two, Use::write, 60, 4);
  grounds.touch(two, Use::read, 4100, 4);
  CHECK(are_apart(*grounds.launch));

  SUBCASE("bytes of one word") { grounds.touch(one, Use::write, 131, 1); }
  SUBCASE("a word that a CTA of the same thread wrote") { grounds.touch(one, Use::read, 64, 1); }
  SUBCASE("a write where others read") { grounds.touch(two, Use::write, 4150, 1); }
  SUBCASE("updates, in any order") {
    grounds.touch(one, Use::update, 512, 4);
    grounds.touch(two, Use::update, 512, 4);
  }
  CHECK_FALSE(are_apart(*grounds.launch));
}
