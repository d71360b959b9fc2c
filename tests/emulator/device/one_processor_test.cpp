// Code of a process that has one processor: who finds a place hot makes its code before it goes on.
#include <doctest/doctest.h>
#include <sched.h>

#include <cstring>
#include <thread>
#include <vector>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"

using namespace wedjat;

namespace {

constexpr const char* text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 rounds) {
  .reg .b32 %r<4>; .reg .pred %p;
  ld.param.u32 %r1, [rounds];
  mov.u32 %r2, %tid.x;
again:
  mad.lo.u32 %r2, %r2, 5, %r1;
  xor.b32 %r2, %r2, %r1;
  add.u32 %r1, %r1, -1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra again;
  ret;
}
)";

// The calling thread, and those that it makes.
void keep_one_processor() {
  cpu_set_t all, one;
  REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
}

std::uint64_t native_steps(const std::shared_ptr<compile::Tier>& tier) {
  device::Device device({.threads = 1, .native = tier});
  device::Module* module = device.load_module({{"loop", text}}, {});
  constexpr std::uint32_t rounds = 1'000'000;
  std::vector<std::byte> parameters(sizeof rounds);
  std::memcpy(parameters.data(), &rounds, sizeof rounds);
  return device.launch(device.function(module, "k"), {.grid = {1, 1, 1}, .block = {32, 1, 1}}, parameters)
      .native_steps;
}

}  // namespace

TEST_CASE("on one processor a launch does not interpret what code is being made for") {
  // Of a thread of its own, so that other tests have all processors.
  std::thread([] {
    keep_one_processor();
    const auto first = std::make_shared<compile::Tier>(compile::TierOptions{});
    if (!first->missing().empty()) {
      CHECK(!WEDJAT_HAS_COMPILER);
      return;
    }
    const std::uint64_t native = native_steps(first);
    CHECK(native > 1'000'000);
    // When it is made hangs on steps alone, not on how two threads take turns.
    const auto second = std::make_shared<compile::Tier>(compile::TierOptions{});
    CHECK(second->missing().empty());  // opened before the launch, as the first was
    CHECK(native_steps(second) == native);
  }).join();
}
