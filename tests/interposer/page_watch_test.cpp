// What the kernel tells of written pages, from look to look.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "interposer/shim/ranges/host_ranges.h"
#include "interposer/shim/ranges/page_faults.h"

using namespace wedjat::interposer;
using wedjat::traces::HostRangeKind;

namespace {

bool looks_at(const HostRange&) { return true; }

void look_at(HostRanges& ranges, Look look, const std::byte* pointer, Comparison& comparison) {
  const auto pointers = std::as_bytes(std::span(&pointer, 1));
  if (!ranges.begin_look(look)) ranges.look({look, pointers, looks_at, false, false, nullptr, 0}, comparison);
}

// Where it was told of changes, from `memory` on, in order.
using Told = std::vector<std::size_t>;
Told look_at(HostRanges& ranges, Look look, const std::byte* memory, const std::byte* pointer) {
  static wedjat::traces::Workers workers{1};
  Told told;
  const TellChange tell = [&](const std::byte* at, std::span<const std::byte>) {
    told.push_back(static_cast<std::size_t>(at - memory));
    ranges.host_wrote_at(at);
  };
  Comparison comparison(workers, tell);
  look_at(ranges, look, pointer, comparison);
  std::ranges::sort(told);
  return told;
}

struct Pages {
  static constexpr std::size_t size = 4 << 20;
  std::byte* const memory;

  explicit Pages(int sharing)
      : memory(static_cast<std::byte*>(
            mmap(nullptr, size, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS | MAP_POPULATE, -1, 0))) {
    madvise(memory, size, MADV_NOHUGEPAGE);
  }
  ~Pages() { munmap(memory, size); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  void write(std::size_t at) const { memory[at] = std::byte(std::to_integer<unsigned>(memory[at]) + 1); }
};

struct Watched : Pages {
  static constexpr std::size_t far = 3 << 20;  // from where the looks begin
  HostRanges ranges;
  HostRange& range = ranges.add(HostRangeKind::pinned, memory, size);

  explicit Watched(int sharing) : Pages(sharing) {
    look();
    look();
  }
  ~Watched() { ranges.remove(range); }

  // Before work is given: first where the host has probably written, then at all that is not explained.
  Told look() { return look_at(ranges, Look::host_at_rest, memory, memory); }
};

// If not ctest shall say so.
bool pages_can_be_watched() {
  const Watched one(MAP_PRIVATE);
  if (one.range.is_silent()) return true;
  MESSAGE("the kernel does not tell of written pages");
  return false;
}

// The looks of such a range take no page faults of their own, once they are used to it.
std::uint64_t faults_of(const std::function<void()>& body) {
  const std::uint64_t before = page_faults();
  body();
  return page_faults() - before;
}

}  // namespace

TEST_CASE("the kernel tells which pages the host wrote, where it can") {
  const Pages mapping(MAP_PRIVATE);
  const auto page = [&](std::size_t number) -> const std::byte* { return mapping.memory + number * 4096; };
  WriteWatch watch(mapping.memory + 100, mapping.memory + mapping.size, WriteWatch::Ends::watched);
  if (!watch.written(1, {})) {
    MESSAGE("this kernel does not");
    return;
  }
  CHECK(watch.silent());
  CHECK(watch.written(2, {}) == PageRuns{});
  mapping.memory[5 * 4096 + 7] = mapping.memory[9] = mapping.memory[7 * 4096] = std::byte{2};
  CHECK(watch.written(3, {{page(7), page(8)}}) == PageRuns{{page(0), page(1)}, {page(5), page(6)}});
  CHECK(watch.written(4, {}) == PageRuns{{page(7), page(8)}});
  CHECK(watch.written(5, {}) == PageRuns{});
}

TEST_CASE("pages at the ends that hold other memory are not watched unless all of it is the driver's") {
  const Pages mapping(MAP_PRIVATE);
  const std::byte *const begin = mapping.memory + 100, *const end = mapping.memory + mapping.size - 1;
  const WriteWatch watch(begin, end, WriteWatch::Ends::unwatched);
  CHECK(watch.edges() ==
        PageRuns{{begin, mapping.memory + 4096}, {mapping.memory + mapping.size - 4096, end}});
  CHECK(WriteWatch(begin, end, WriteWatch::Ends::watched).edges().empty());
}

TEST_CASE("a page that the host writes at each look is compared, not asked about") {
  if (!pages_can_be_watched()) return;

  int sharing = MAP_PRIVATE;
  SUBCASE("private") {}
  SUBCASE("shared") { sharing = MAP_SHARED; }
  Watched one(sharing);
  int quiet = 0;  // the test itself takes faults at first
  for (int round = 0; round < 100; ++round) {
    quiet += faults_of([&] { one.write(5000); }) == 0 ? 1 : 0;
    INFO(round);
    CHECK(one.look() == Told{5000});
  }
  CHECK(quiet > 90);
  // What lies elsewhere is found as before, also where it was written together with that page.
  one.write(5000);
  one.write(Watched::far);
  one.write(20'000);
  CHECK(one.look() == Told{5000, 20'000, Watched::far});
  one.write(Watched::far);
  CHECK(one.look() == Told{Watched::far});
  for (int round = 0; round < 10; ++round) {
    one.write(5000);
    one.write(Watched::far);
    CHECK(one.look() == Told{5000, Watched::far});
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
    CHECK(one.look() == Told{5000});
  }
  for (int looks = 0; looks < 62; ++looks) CHECK(one.look().empty());
  one.write(5000);
  CHECK(one.look() == Told{5000});  // it is open still
  for (int looks = 0; looks < 64; ++looks) CHECK(one.look().empty());
  CHECK(faults_of([&] { one.write(5000); }) >= 1);
  CHECK(one.look() == Told{5000});
}

TEST_CASE("ranges that share pages with each other learn of all writes, whoever asks") {
  if (!pages_can_be_watched()) return;

  int sharing = MAP_PRIVATE;
  SUBCASE("private") {}
  SUBCASE("shared") { sharing = MAP_SHARED; }
  const Pages pages(sharing);
  HostRanges ranges;
  // Sizes and places as a driver deals them out: many in a page, over the end of one, some pages.
  struct Place {
    std::size_t at, size;
  };
  std::vector<Place> places;
  for (std::size_t at = 512; at < 60'000;) {
    const std::size_t size = std::array<std::size_t, 5>{4, 100, 3000, 4096, 10'000}[places.size() % 5];
    places.push_back({at, size});
    at += (size + 511) / 512 * 512;
  }
  std::vector<HostRange*> all;
  for (const auto& [at, size] : places)
    all.push_back(&ranges.add(HostRangeKind::pinned, pages.memory + at, size));
  std::minstd_rand random;
  const auto look = [&](std::size_t near) {
    return look_at(ranges, Look::host, pages.memory, pages.memory + near);
  };
  look(0);
  look(0);
  CHECK(std::ranges::all_of(all, &HostRange::is_silent));
  for (int round = 0; round < 2000; ++round) {
    Told written;
    for (std::size_t writes = random() % 4; writes > 0; --writes) {
      const auto& [at, size] = places[random() % places.size()];
      const std::size_t where = at + random() % size;
      if (std::ranges::any_of(written, [&](std::size_t one) { return one < where + 64 && where < one + 64; }))
        continue;  // they are told of as one
      pages.write(where);
      written.push_back(where);
    }
    std::ranges::sort(written);
    const std::size_t near = random() % 3 != 0 && !written.empty() ? written.front() : places[3].at;
    INFO(round);
    CHECK(look(near) == written);
    // One goes, and comes back: the others still learn of writes to its pages.
    if (round % 10 != 9) continue;
    const std::size_t which = random() % places.size();
    ranges.remove(*all[which]);
    std::memset(pages.memory + places[which].at, 0, places[which].size);
    CHECK(look(near).empty());
    all[which] = &ranges.add(HostRangeKind::pinned, pages.memory + places[which].at, places[which].size);
  }
  for (HostRange* const range : all) ranges.remove(*range);
}

TEST_CASE("a look at small ranges that nobody wrote to compares none of them") {
  if (!pages_can_be_watched()) return;

  const Pages pages(MAP_SHARED);
  HostRanges ranges;
  std::vector<HostRange*> all;
  for (std::size_t i = 0; i < 200; ++i)
    all.push_back(&ranges.add(HostRangeKind::pinned, pages.memory + 0xe00 + i * 4096, 4096));
  wedjat::traces::Workers workers{1};
  const TellChange tell = [](const std::byte*, std::span<const std::byte>) {};
  std::size_t most = 0;
  for (std::size_t round = 0; round < 600; ++round) {
    if (round % 3 == 0) pages.write(0xe00 + round / 3 % 200 * 4096);
    Comparison comparison(workers, tell);
    const std::byte* const pointer = pages.memory + 0xe00 + round / 3 % 200 * 4096;
    look_at(ranges, Look::host, pointer, comparison);
    if (round > 10) most = std::max(most, comparison.bytes());
  }
  CHECK(most <= 16 * 4096);
  for (HostRange* const range : all) ranges.remove(*range);
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
    HostRange range(HostRangeKind::graph, memory.data(), size, account);
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
  auto kind = HostRangeKind::registered;
  SUBCASE("registered") {}
  SUBCASE("pinned") { kind = HostRangeKind::pinned; }
  const Pages pages(MAP_PRIVATE);
  HostRanges ranges;
  HostRange& range = ranges.add(kind, pages.memory, 1 << 20);
  std::uint64_t faults = 0;
  wedjat::traces::Workers workers{1};
  for (int round = 1; round <= 100; ++round) {
    faults += faults_of([&] { std::memset(pages.memory, round, 1 << 20); });
    std::size_t told = 0;
    const TellChange tell = [&](const std::byte*, std::span<const std::byte> bytes) { told += bytes.size(); };
    Comparison comparison(workers, tell);
    const std::byte* const pointer = pages.memory;
    look_at(ranges, Look::host, pointer, comparison);
    INFO(round);
    CHECK(told == 1 << 20);
  }
  CHECK(faults < 100 * 256 / 4);
  ranges.remove(range);
}
