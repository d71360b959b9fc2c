// Parts of the recorder that need no driver.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "interposer/record/buffers.h"
#include "interposer/shim/memory/box.h"
#include "interposer/shim/memory/timeline.h"
#include "interposer/shim/ranges/host_range.h"
#include "interposer/shim/ranges/look_budget.h"
#include "interposer/shim/ranges/page_faults.h"
#include "interposer/shim/ranges/this_process.h"

using namespace wedjat::interposer;
using wedjat::traces::HostRangeKind;

namespace {

constexpr StreamKey kA = 0x100, kB = 0x200;
constexpr std::uint64_t kContext = 0x1000, kEvent = 0x9000;

wedjat::traces::Workers workers(2);
FaultAccount no_account;

// Anonymous memory, as a program's that it registers.
struct Mapping {
  explicit Mapping(std::size_t bytes)
      : size(bytes),
        memory(static_cast<std::byte*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  ~Mapping() { munmap(memory, size); }
  std::size_t size;
  std::byte* memory;
};

bool covers(const Clock& clock, StreamKey stream, std::uint64_t operation) {
  const auto found = clock.find(stream);
  return found != clock.end() && operation <= found->second;
}

struct Run {
  std::size_t offset;
  std::size_t size;
  bool operator==(const Run&) const = default;
};

std::vector<Run> changes(HostRange& range, Look look = Look::whole, bool quiet = false,
                         const ReadDevice& read = nullptr) {
  std::vector<Run> runs;
  const auto tell = [&](const std::byte* address, std::span<const std::byte> bytes) {
    runs.push_back({static_cast<std::size_t>(address - range.begin()), bytes.size()});
  };
  const TellChange told = tell;
  Comparison comparison(workers, told);
  static std::uint64_t looks = 0;
  range.ask(quiet, ++looks, {});
  CHECK(range.changes(look, quiet, read, comparison));
  comparison.finish();
  return runs;
}

}  // namespace

TEST_CASE("waiting for a stream covers its own work and what it waited for, no more") {
  Timeline timeline;
  timeline.stream_begins(kA, kContext, false);
  timeline.stream_begins(kB, kContext, false);
  const auto first = timeline.enqueue(kA);
  timeline.record(kEvent, timeline.reached_by_stream(kA));
  const auto second = timeline.enqueue(kA);
  CHECK(!covers(timeline.reached_by_stream(kB), kA, first));
  timeline.wait(kB, kEvent);
  CHECK(covers(timeline.reached_by_stream(kB), kA, first));
  CHECK(!covers(timeline.reached_by_stream(kB), kA, second));
  CHECK(covers(timeline.reached_by_event(kEvent), kA, first));
  CHECK(!covers(timeline.reached_by_event(kEvent), kA, second));
}

TEST_CASE("the legacy stream follows blocking streams and they follow it; non-blocking ones do not") {
  Timeline timeline;
  const StreamKey legacy = Timeline::legacy(kContext);
  timeline.stream_begins(legacy, kContext, true);
  timeline.stream_begins(kA, kContext, true);
  timeline.stream_begins(kB, kContext, false);
  const auto blocking = timeline.enqueue(kA);
  const auto free = timeline.enqueue(kB);
  const Clock done = timeline.reached_by_stream(legacy);
  CHECK(covers(done, kA, blocking));
  CHECK(!covers(done, kB, free));
  const auto in_legacy = timeline.enqueue(legacy);
  CHECK(covers(timeline.reached_by_stream(kA), legacy, in_legacy));
  CHECK(!covers(timeline.reached_by_stream(kB), legacy, in_legacy));
}

TEST_CASE("the device rests when every operation of every stream was waited for") {
  Timeline timeline;
  timeline.stream_begins(kA, kContext, false);
  timeline.stream_begins(kB, kContext, false);
  CHECK(timeline.at_rest());
  timeline.enqueue(kA);
  timeline.enqueue(kA);
  timeline.enqueue(kB);
  timeline.done({{kA, 1}});
  CHECK(!timeline.at_rest());
  timeline.done({{kA, 2}});
  timeline.done({{kA, 2}});
  CHECK(!timeline.at_rest());
  timeline.stream_ends(kB);  // what it had to do is nobody's to wait for any more
  CHECK(timeline.at_rest());
  timeline.enqueue(kA);
  CHECK(!timeline.at_rest());
  timeline.done(timeline.reached_by_context(kContext));
  CHECK(timeline.at_rest());
}

TEST_CASE("a host range tells exactly the bytes that changed, near ones together, once") {
  std::vector<std::byte> memory(200'000);
  HostRange range(HostRangeKind::pinned, memory.data(), memory.size(), no_account);
  CHECK(changes(range).empty());
  memory[5] = memory[20] = memory[100] = std::byte{1};
  memory[65'535] = memory[65'536] = std::byte{2};  // on both sides of a block
  memory[199'999] = std::byte{3};
  CHECK(changes(range) == std::vector<Run>{{5, 16}, {100, 1}, {65'535, 2}, {199'999, 1}});
  CHECK(changes(range).empty());
  for (std::size_t i = 199'900; i < memory.size(); ++i) memory[i] = std::byte{4};  // to a last odd byte
  memory[150'000] = memory[150'033] = memory[150'067] = std::byte{4};
  CHECK(changes(range) == std::vector<Run>{{150'000, 1}, {150'033, 1}, {150'067, 1}, {199'900, 100}});
  memory[7] = std::byte{9};
  range.learn(memory.data(), 10, workers);
  CHECK(changes(range).empty());
}

TEST_CASE("whatever the kernel says of written pages, what the host wrote is told, once") {
  for (const std::size_t shift : {std::size_t{0}, std::size_t{100}}) {  // aligned to pages, and not
    const Mapping mapping(1 << 20);
    std::byte* memory = mapping.memory + shift;
    const std::size_t size = mapping.size - 2 * shift;
    HostRange range(HostRangeKind::registered, memory, size, no_account);
    memory[3] = std::byte{1};
    CHECK(changes(range, Look::host) == std::vector<Run>{{3, 1}});
    for (std::size_t round = 0; round < 40; ++round) {
      CHECK(changes(range, Look::host).empty());
      const std::size_t at = round * 20'011;
      memory[at] = memory[size - 1] = static_cast<std::byte>(round + 1);
      CHECK(changes(range, Look::host) == std::vector<Run>{{at, 1}, {size - 1, 1}});
    }
    std::memset(memory, 99, size);  // more than is worth watching
    for (std::size_t round = 0; round < 40; ++round) {
      std::size_t told = 0;
      for (const Run& run : changes(range, Look::host)) told += run.size;
      CHECK(told == (round == 0 ? size : 1));
      memory[round * 1000] = static_cast<std::byte>(round + 100);
    }
  }
}

TEST_CASE("page faults are counted, and explained by the pages that were written") {
  const Mapping mapping(16 * 4096);
  FaultAccount account;
  CHECK(!account.quiet_since_last());  // nobody knows yet
  const auto quiet = [&] {
    account.end();
    return account.quiet_since_last();
  };
  for (int i = 0; i < 10 && !quiet(); ++i) {
  }
  REQUIRE(quiet());
  for (std::size_t page = 0; page < 5; ++page) mapping.memory[page * 4096] = std::byte{1};
  const bool unexplained = account.all_explained(4), explained = account.all_explained(5);
  CHECK(!unexplained);
  CHECK(explained);
  CHECK(!account.quiet_since_last());
}

TEST_CASE("at least so many page faults: one a page, one a huge page") {
  constexpr std::uintptr_t page = 4096, huge = 512 * page;
  const auto at = [](std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); };
  CHECK(least_faults({}) == 0);
  CHECK(least_faults({{at(huge - page), at(huge + 2 * page)}, {at(huge + 9 * page), at(huge + 10 * page)}}) ==
        4);
  CHECK(least_faults({{at(huge - page), at(3 * huge + page)}}) == 4);
}

TEST_CASE("parts of page runs that lie in no other") {
  std::byte memory[100];
  const auto run = [&](int first, int last) {
    return std::pair<const std::byte*, const std::byte*>(memory + first, memory + last);
  };
  CHECK(without({run(0, 100)}, {}) == PageRuns{run(0, 100)});
  CHECK(without({run(0, 100)}, {run(0, 10), run(20, 30), run(90, 100)}) ==
        PageRuns{run(10, 20), run(30, 90)});
  CHECK(without({run(0, 10), run(20, 40)}, {run(5, 25), run(30, 35)}) ==
        PageRuns{run(0, 5), run(25, 30), run(35, 40)});
  CHECK(without({run(10, 20)}, {run(0, 50)}).empty());
}

TEST_CASE("written pages are found where they are looked for first, and explain their faults") {
  const Mapping mapping(8 << 20);
  std::memset(mapping.memory, 1, mapping.size);
  HostRange range(HostRangeKind::registered, mapping.memory, mapping.size, no_account);
  changes(range, Look::host);
  const Mapping other(1 << 20);
  if (!WriteWatch(other.memory, other.memory + other.size, WriteWatch::Ends::watched).written(1, {})) {
    MESSAGE("this kernel does not tell which pages are written");
    return;
  }
  changes(range, Look::host);
  mapping.memory[5 << 20] = mapping.memory[(5 << 20) + 70'000] = mapping.memory[9] = std::byte{2};
  const std::byte* const place = mapping.memory + (5 << 20) + 4096;
  const auto found = [&](std::size_t within) { return range.watch()->written_near(place, within, 9, {}); };
  const auto page = [&](std::size_t at) {
    return std::pair<const std::byte*, const std::byte*>(mapping.memory + at, mapping.memory + at + 4096);
  };
  CHECK(found(64 << 10) == PageRuns{page(5 << 20)});
  CHECK(found(64 << 10) == PageRuns{});
  CHECK(found(2 << 20) == PageRuns{page((5 << 20) + 69'632)});
  CHECK(found(2 << 20) == PageRuns{});
  CHECK(changes(range, Look::host) == std::vector<Run>{{9, 1}});
}

TEST_CASE("registered memory that other mappings show too is compared: they write unseen") {
  constexpr std::size_t size = 1 << 20;
  const int file = memfd_create("shared", 0);
  REQUIRE(ftruncate(file, size) == 0);
  const auto map = [&] {
    return static_cast<std::byte*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  };
  std::byte *const here = map(), *const there = map();  // in another process, usually
  close(file);
  {
    HostRange range(HostRangeKind::registered, here, size, no_account);
    CHECK(changes(range, Look::host).empty());
    there[70'000] = std::byte{1};
    CHECK(changes(range, Look::host, true) == std::vector<Run>{{70'000, 1}});
  }
  munmap(here, size);
  munmap(there, size);
}

TEST_CASE("of managed memory at rest what the host cannot have touched is not looked at") {
  const Mapping mapping(1 << 20);
  HostRange range(HostRangeKind::managed, mapping.memory, mapping.size, no_account);
  if (!present_pages(mapping.memory, mapping.memory + mapping.size)) {
    MESSAGE("this kernel does not tell which pages are there");
    return;
  }
  CHECK(present_pages(mapping.memory, mapping.memory + mapping.size)->empty());
  mapping.memory[40 * 4096] = std::byte{1};
  CHECK(changes(range, Look::host_at_rest, true).empty());  // no fault since it was empty: nothing to see
  CHECK(changes(range, Look::host_at_rest) == std::vector<Run>{{40 * 4096, 1}});
  CHECK(present_pages(mapping.memory, mapping.memory + mapping.size)->size() == 1);
  // Where the device has it, it is asked.
  const auto device = [](const std::byte*, std::size_t bytes, const TakePart& take) {
    take(std::vector<std::byte>(bytes, std::byte{7}));
    return true;
  };
  CHECK(changes(range, Look::whole, false, device) ==
        std::vector<Run>{{0, 40 * 4096}, {41 * 4096, mapping.size - 41 * 4096}});
  CHECK(present_pages(mapping.memory, mapping.memory + mapping.size)->size() == 1);
}

TEST_CASE("what the host has of managed memory is compared before the rest is read: the device may take it") {
  const Mapping mapping(2 << 20);
  HostRange range(HostRangeKind::managed, mapping.memory, mapping.size, no_account);
  if (!present_pages(mapping.memory, mapping.memory + mapping.size)) {
    MESSAGE("this kernel does not tell which pages are there");
    return;
  }
  mapping.memory[1 << 20] = std::byte{1};
  const auto device = [&](const std::byte*, std::size_t bytes, const TakePart& take) {
    mapping.memory[1 << 20] = std::byte{2};
    take(std::vector<std::byte>(bytes));
    return true;
  };
  std::vector<std::byte> told;
  const TellChange tell = [&](const std::byte*, std::span<const std::byte> bytes) {
    told.insert(told.end(), bytes.begin(), bytes.end());
  };
  Comparison comparison(workers, tell);
  range.changes(Look::whole, false, device, comparison);
  comparison.finish();
  CHECK(told == std::vector{std::byte{1}});
}

TEST_CASE("where reading from the device ends half-way, the rest is compared as the host has it") {
  const Mapping mapping(2 << 20);
  HostRange range(HostRangeKind::managed, mapping.memory, mapping.size, no_account);
  const auto device = [](const std::byte*, std::size_t, const TakePart& take) {
    take(std::vector<std::byte>(4096, std::byte{7}));
    return false;
  };
  CHECK(changes(range, Look::whole, false, device) == std::vector<Run>{{0, 4096}});
  CHECK(changes(range, Look::whole) == std::vector<Run>{{0, 4096}});  // the host has zeros there
  // What was fetched for that can be written without a page fault.
  mapping.memory[100] = std::byte{1};
  CHECK(changes(range, Look::host_at_rest, true) == std::vector<Run>{{100, 1}});
}

TEST_CASE("long runs that differ throughout are told in one piece, beside those that do not") {
  constexpr std::size_t block = 64 << 10;
  std::vector<std::byte> memory(20 * block);
  HostRange range(HostRangeKind::pinned, memory.data(), memory.size(), no_account);
  const auto at = [](std::size_t offset) { return static_cast<std::ptrdiff_t>(offset); };
  for (const int value : {1, 2}) {  // over zeros, and over what was known before
    std::fill(memory.begin() + at(3 * block), memory.begin() + at(17 * block), static_cast<std::byte>(value));
    memory[2 * block + 5] = memory[18 * block + 5] = static_cast<std::byte>(value);
    CHECK(changes(range) ==
          std::vector<Run>{{2 * block + 5, 1}, {3 * block, 14 * block}, {18 * block + 5, 1}});
    CHECK(changes(range).empty());
  }
  std::fill(memory.begin(), memory.end(), std::byte{0});
  CHECK(changes(range) == std::vector<Run>{{2 * block + 5, 1}, {3 * block, 14 * block}, {18 * block + 5, 1}});
  CHECK(changes(range).empty());
}

TEST_CASE("words that all changed are told in whole blocks, though the first and last bytes did not change") {
  constexpr std::size_t block = 64 << 10;
  std::vector<std::byte> memory(4 * block);
  HostRange range(HostRangeKind::pinned, memory.data(), memory.size(), no_account);
  const auto change = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from + 2; i < to; i += 4)
      memory[i] = static_cast<std::byte>(1 + static_cast<int>(memory[i]));
  };
  for (int i = 0; i < 2; ++i) {
    change(block, 3 * block);
    CHECK(changes(range) == std::vector<Run>{{block, 2 * block}});
    CHECK(changes(range).empty());
  }
  change(block + 40, 2 * block - 40);  // no whole block
  CHECK(changes(range) == std::vector<Run>{{block + 42, block - 83}});
}

TEST_CASE("the recorder's own page faults are none of the application's") {
  FaultAccount account;
  account.quiet_since_last();
  account.end();
  const Mapping ours(1 << 20), theirs(1 << 20);
  {
    const OwnFaults own(account);
    {
      const OwnFaults again(account);  // of the same thread
      ours.memory[0] = std::byte{1};
    }
    for (std::size_t i = 0; i < ours.size; i += 4096) ours.memory[i] = std::byte{1};
  }
  CHECK(account.quiet_since_last());
  account.end();
  for (std::size_t i = 0; i < theirs.size; i += 4096) theirs.memory[i] = std::byte{1};
  CHECK(!account.quiet_since_last());
}

TEST_CASE("what a wait learned, the look of that wait leaves out, and only that") {
  std::vector<std::byte> memory(200'000), arrived(1000, std::byte{5});
  HostRange range(HostRangeKind::pinned, memory.data(), memory.size(), no_account);
  const auto look = [&](std::uint64_t wait) {
    std::vector<Run> runs;
    const TellChange tell = [&](const std::byte* address, std::span<const std::byte> bytes) {
      runs.push_back({static_cast<std::size_t>(address - range.begin()), bytes.size()});
    };
    Comparison comparison(workers, tell);
    range.changes(Look::whole, false, nullptr, comparison, wait);
    comparison.finish();
    return runs;
  };
  CHECK(look(1).empty());
  for (const std::size_t at : {70'000, 20'000}) {  // in any order
    std::copy(arrived.begin(), arrived.end(), memory.begin() + static_cast<std::ptrdiff_t>(at));
    std::copy(arrived.begin(), arrived.end(), range.learned(memory.data() + at, arrived.size(), 2));
  }
  memory[20'500] = memory[70'500] = memory[90'000] = std::byte{9};  // another thread of the host
  CHECK(look(2) == std::vector<Run>{{90'000, 1}});
  CHECK(look(3) == std::vector<Run>{{20'500, 1}, {70'500, 1}});
  CHECK(look(3).empty());
}

TEST_CASE("a graph's memory may vanish") {
  HostRange range(HostRangeKind::graph, reinterpret_cast<std::byte*>(4096), 64, no_account);
  const TellChange nobody = [](const std::byte*, std::span<const std::byte>) {};
  Comparison comparison(workers, nobody);
  CHECK(!range.changes(Look::whole, false, nullptr, comparison));
}

TEST_CASE("boxes are packed tight, planes and all") {
  std::byte memory[64];
  for (int i = 0; i < 64; ++i) memory[i] = static_cast<std::byte>(i);
  const Box box{memory + 1, 2, 2, 2, 8, 32};
  std::vector<std::byte> storage;
  const auto bytes = packed(box, storage);
  const int expected[] = {1, 2, 9, 10, 33, 34, 41, 42};
  REQUIRE(bytes.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) CHECK(bytes[i] == static_cast<std::byte>(expected[i]));
  CHECK(box.extent() == 42);
}

TEST_CASE("buffers fit the shared memory of the machine") {
  CHECK(choose_buffers(std::uint64_t{64} << 30, 16).size == 1 << 20);
  const Buffers docker = choose_buffers(std::uint64_t{64} << 20, 192);
  CHECK((docker.count + 1) * docker.size * 192 <= std::uint64_t{64} << 20);
  CHECK_THROWS_WITH_AS(choose_buffers(1 << 20, 192), doctest::Contains("--shm-size"), std::runtime_error);
}

TEST_CASE("many ranges are compared side by side, and each is told of its own") {
  std::vector<std::vector<std::byte>> memory(40, std::vector<std::byte>(100'000));
  std::vector<std::unique_ptr<HostRange>> ranges;
  for (auto& part : memory)
    ranges.push_back(
        std::make_unique<HostRange>(HostRangeKind::pinned, part.data(), part.size(), no_account));
  for (unsigned round = 1; round < 4; ++round) {
    std::vector<const std::byte*> expected, told;
    for (std::size_t i = round; i < memory.size(); i += round) {
      memory[i][i * 2000] = static_cast<std::byte>(round);
      expected.push_back(&memory[i][i * 2000]);
    }
    const TellChange tell = [&](const std::byte* address, std::span<const std::byte> bytes) {
      told.push_back(address);
      CHECK(bytes.size() == 1);
      CHECK(bytes[0] == static_cast<std::byte>(round));
    };
    Comparison comparison(workers, tell);
    for (const auto& range : ranges) range->changes(Look::whole, false, nullptr, comparison);
    CHECK(told.empty());
    comparison.finish();
    CHECK(told == expected);
    CHECK(comparison.bytes() == 40 * 100'000);
  }
}

TEST_CASE("the pages of the recorder's copy are no page faults of the application's") {
  FaultAccount account;
  const Mapping mapping(1 << 20);
  std::memset(mapping.memory, 0, mapping.size);
  HostRange range(HostRangeKind::graph, mapping.memory, mapping.size, account);
  std::byte* const place = range.learned(mapping.memory + 100'000, 200'000, 1);  // warms up what is used here
  std::memset(place, 1, 200'000);
  for (const std::size_t at : {std::size_t{400'000}, std::size_t{700'000}}) {
    account.quiet_since_last();
    account.end();
    REQUIRE(account.quiet_since_last());
    account.end();
    std::memset(range.learned(mapping.memory + at, 150'000, 1), 1, 150'000);
    CHECK(account.quiet_since_last());
  }
}

TEST_CASE("a child of fork is another process, also of one that knows itself") {
  ThisProcess process;
  CHECK(process.is_same());
  const pid_t child = fork();
  if (child == 0) {
    const bool different = !process.is_same();
    process.begin();
    _exit(different && process.is_same() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(process.is_same());
}

TEST_CASE("looking at everything is free at first, then a part of the time, by what looks took") {
  using namespace std::chrono_literals;
  LookBudget budget;
  CHECK(budget.allows(std::size_t{1} << 40));  // nobody knows yet what that takes
  budget.measured(8 << 20, 1ms);
  budget.spent(1ms);
  CHECK(budget.allows(4 << 20));
  CHECK(!budget.allows(std::size_t{1} << 40));
  budget.measured(100, 1s);  // so few bytes tell nothing
  CHECK(budget.allows(4 << 20));
  budget.spent(10h);
  CHECK(!budget.allows(0));
}
