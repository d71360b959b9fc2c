// What the kernel tells of written pages, from look to look.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "interposer/shim/ranges/host_range.h"
#include "interposer/shim/ranges/page_faults.h"

using namespace wedjat::interposer;

namespace {

struct Watched {
  static constexpr std::size_t size = 4 << 20;
  static constexpr std::size_t far = 3 << 20;  // from where the looks begin
  std::byte* const memory;
  wedjat::traces::Workers workers{1};
  FaultAccount account;
  OftenWritten often;
  std::optional<HostRange> range;
  bool quiet = false;  // at the last look, before anything was asked

  explicit Watched(int sharing)
      : memory(static_cast<std::byte*>(
            mmap(nullptr, size, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS | MAP_POPULATE, -1, 0))) {
    madvise(memory, size, MADV_NOHUGEPAGE);
    range.emplace(wedjat::traces::HostRangeKind::pinned, memory, size, account);
    look();
    look();
  }
  ~Watched() {
    range.reset();
    munmap(memory, size);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  // Before work is given: first where the host has probably written, then at all that is not explained. What
  // was told.
  std::vector<std::size_t> look() {
    std::vector<std::size_t> told;
    const TellChange tell = [&](const std::byte* at, std::span<const std::byte>) {
      told.push_back(static_cast<std::size_t>(at - memory));
    };
    Comparison comparison(workers, tell);
    bool known = quiet = account.quiet_since_last();
    if (!known)
      known = account.all_explained(range->changes_near(memory, 64 << 10, comparison, often).faults);
    if (!known || !range->is_silent()) {
      const OwnFaults own(account);
      range->changes(Look::host_at_rest, known, nullptr, comparison);
    }
    comparison.finish();
    account.end();
    return told;
  }
  void write(std::size_t at) const { memory[at] = std::byte(std::to_integer<unsigned>(memory[at]) + 1); }
};

// If not ctest shall say so.
bool pages_can_be_watched() {
  const Watched one(MAP_PRIVATE);
  if (one.range->is_silent()) return true;
  MESSAGE("the kernel does not tell of written pages");
  return false;
}

using Told = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a page that the host writes at each look is compared, not asked about") {
  if (!pages_can_be_watched()) return;

  int sharing = MAP_PRIVATE;
  SUBCASE("private") {}
  SUBCASE("shared") { sharing = MAP_SHARED; }
  Watched one(sharing);
  int quiet = 0;  // the test itself takes faults at first
  for (int round = 0; round < 100; ++round) {
    one.write(5000);
    INFO(round);
    CHECK(one.look() == Told{5000});
    CHECK((round >= 3 || !one.quiet));
    quiet += one.quiet ? 1 : 0;
  }
  CHECK(quiet > 5);
  // What lies elsewhere is found as before, also where it was written together with that page.
  one.write(5000);
  one.write(Watched::far);
  one.write(20'000);
  Told told = one.look();
  std::ranges::sort(told);
  CHECK(told == Told{5000, 20'000, Watched::far});
  one.write(Watched::far);
  CHECK(one.look() == Told{Watched::far});
  for (int round = 0; round < 10; ++round) {
    one.write(5000);
    one.write(Watched::far);
    told = one.look();
    std::ranges::sort(told);
    CHECK(told == Told{5000, Watched::far});
  }
}

TEST_CASE("a page that is not written any more is protected again") {
  if (!pages_can_be_watched()) return;

  int sharing = MAP_PRIVATE;
  SUBCASE("private") {}
  SUBCASE("shared") { sharing = MAP_SHARED; }
  Watched one(sharing);
  for (int round = 0; round < 5; ++round) {
    one.write(5000);
    one.look();
  }
  CHECK(!one.range->is_silent());
  int looks = 0;
  while (!one.range->is_silent() && looks < 100) {
    CHECK(one.look().empty());
    ++looks;
  }
  CHECK(looks == 64);
  CHECK(one.look().empty());
  one.write(5000);
  CHECK(one.look() == Told{5000});
  CHECK(!one.quiet);
}

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
