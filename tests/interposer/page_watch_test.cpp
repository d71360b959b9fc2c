// What the kernel tells of written pages, from look to look.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "interposer/shim/ranges/host_range.h"
#include "interposer/shim/ranges/page_faults.h"

using namespace wedjat::interposer;

namespace {

using Told = std::vector<std::size_t>;

}  // namespace

TEST_CASE("no look is quiet while others make room for what will be known, nor the next one") {
  FaultAccount account;
  const auto quiet = [&] {
    const bool is = account.quiet_since_last();
    account.end();
    return is;
  };
  const auto becomes_quiet = [&] {  // the test itself takes faults at first
    bool is = false;
    for (int i = 0; i < 100 && !is; ++i) is = quiet();
    return is;
  };
  REQUIRE(becomes_quiet());
  account.aside_begins();
  for (int i = 0; i < 100; ++i) CHECK(!quiet());
  account.aside_ends();
  CHECK(!quiet());
  CHECK(becomes_quiet());
  account.aside_begins();
  account.aside_ends();
  CHECK(!quiet());
  CHECK(becomes_quiet());
}

TEST_CASE("room that other threads make is there when something becomes known, and while the range goes") {
  FaultAccount account;
  wedjat::traces::Workers workers(3);
  constexpr std::size_t size = 9 << 20;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::byte> memory(size);
    HostRange range(wedjat::traces::HostRangeKind::graph, memory.data(), size, account);
    range.prepare(size - 100, workers);
    if (round % 2 == 0) continue;
    std::byte* const known = range.learned(memory.data() + (3 << 20), 4 << 20, 1);
    std::memset(known, round, 4 << 20);
    memory[4 << 20] = std::byte{77};
    Told told;
    const TellChange tell = [&](const std::byte* at, std::span<const std::byte>) {
      told.push_back(static_cast<std::size_t>(at - memory.data()));
    };
    Comparison comparison(workers, tell);
    range.changes(Look::whole, false, nullptr, comparison);
    comparison.finish();
    CHECK(!told.empty());
    CHECK(known[(1 << 20)] == std::byte{77});
    CHECK(known[0] == std::byte{0});
  }
}

TEST_CASE(
    "what the host writes anew between all looks is told each time, also where looks rest from asking") {
  constexpr std::size_t size = 1 << 20;
  auto* const memory = static_cast<std::byte*>(
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0));
  wedjat::traces::Workers workers(1);
  FaultAccount account;
  {
    HostRange range(wedjat::traces::HostRangeKind::registered, memory, size, account);
    std::size_t told = 0;
    const TellChange tell = [&](const std::byte*, std::span<const std::byte> bytes) { told += bytes.size(); };
    for (int round = 1; round <= 60; ++round) {
      std::memset(memory, round, size);
      told = 0;
      const bool quiet = account.quiet_since_last();
      Comparison comparison(workers, tell);
      if (!quiet || !range.is_silent()) {
        const OwnFaults own(account);
        range.changes(Look::host, quiet, nullptr, comparison);
        comparison.finish();
      }
      account.end();
      INFO(round);
      CHECK(told == size);
    }
  }
  munmap(memory, size);
}
