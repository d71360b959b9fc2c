// Tools that several threads create at the same time.
#include <doctest/doctest.h>

#include <array>
#include <barrier>
#include <string>
#include <thread>

#include "emulator/hooks/hooks.h"
#include "utilities/include/wedjat/tool.hpp"

namespace {

// Both threads are in the middle of a creation when the first of the two goes on.
std::barrier<>& both() {
  static std::barrier<> all(2);
  return all;
}

class Slow : public wedjat::Tool {
 public:
  static void* operator new(std::size_t bytes) {
    both().arrive_and_wait();
    return ::operator new(bytes);
  }
  static void operator delete(void* at) { ::operator delete(at); }

  Slow() { table("mine", "what"); }
};

}  // namespace

TEST_CASE("a tool belongs to the session that it was created for, whatever other threads create meanwhile") {
  const wedjat_tool& slow = *wedjat::Tool::describe<Slow>("slow", "takes its time to be created");
  std::array<wedjat::hooks::Hooks, 2> hooks;
  std::thread other([&] { hooks[1].add(slow); });
  hooks[0].add(slow);
  other.join();
  for (wedjat::hooks::Hooks& each : hooks) {
    const auto reports = each.finish();
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].tables.size() == 1);
  }
}
