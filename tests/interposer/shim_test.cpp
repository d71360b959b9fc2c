// Parts of the recorder that need no driver.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstring>
#include <stdexcept>
#include <vector>

#include "interposer/record/buffers.h"
#include "interposer/shim/box.h"
#include "interposer/shim/host_range.h"
#include "interposer/shim/timeline.h"

using namespace wedjat::interposer;
using wedjat::traces::HostRangeKind;

namespace {

constexpr StreamKey kA = 0x100, kB = 0x200;
constexpr std::uint64_t kContext = 0x1000, kEvent = 0x9000;

wedjat::traces::Workers workers(2);

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

std::vector<Run> changes(HostRange& range, Look look = Look::whole) {
  std::vector<Run> runs;
  CHECK(range.changes(look, nullptr, [&](const std::byte* address, std::span<const std::byte> bytes) {
    runs.push_back({static_cast<std::size_t>(address - range.begin()), bytes.size()});
  }));
  return runs;
}

}  // namespace

TEST_CASE("waiting for a stream covers its own work and what it waited for, no more") {
  Timeline timeline;
  timeline.stream_begins(kA, kContext, false);
  timeline.stream_begins(kB, kContext, false);
  const auto first = timeline.enqueue(kA);
  timeline.record(kEvent, kA);
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

TEST_CASE("a host range tells exactly the bytes that changed, near ones together, once") {
  std::vector<std::byte> memory(200'000);
  HostRange range(HostRangeKind::pinned, memory.data(), memory.size(), workers);
  CHECK(changes(range).empty());
  memory[5] = memory[20] = memory[100] = std::byte{1};
  memory[65'535] = memory[65'536] = std::byte{2};  // on both sides of a block
  memory[199'999] = std::byte{3};
  CHECK(changes(range) == std::vector<Run>{{5, 16}, {100, 1}, {65'535, 2}, {199'999, 1}});
  CHECK(changes(range).empty());
  memory[7] = std::byte{9};
  range.learn(memory.data(), 10);
  CHECK(changes(range).empty());
}

TEST_CASE("whatever the kernel says of written pages, what the host wrote is told, once") {
  for (const std::size_t shift : {std::size_t{0}, std::size_t{100}}) {  // aligned to pages, and not
    const Mapping mapping(1 << 20);
    std::byte* memory = mapping.memory + shift;
    const std::size_t size = mapping.size - 2 * shift;
    HostRange range(HostRangeKind::registered, memory, size, workers);
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

TEST_CASE("the kernel tells which pages the host wrote, where it can") {
  const Mapping mapping(1 << 20);
  std::memset(mapping.memory, 1, mapping.size);
  WriteWatch watch(mapping.memory, mapping.memory + mapping.size);
  if (!watch.written()) {
    MESSAGE("this kernel does not");
    return;
  }
  CHECK(watch.written()->empty());
  mapping.memory[5 * 4096 + 7] = std::byte{2};
  const auto page = [&](std::size_t number) -> const std::byte* { return mapping.memory + number * 4096; };
  CHECK(watch.written() == PageRuns{{page(5), page(6)}});
  CHECK(watch.written()->empty());
}

TEST_CASE("of managed memory at rest what the host cannot have touched is not looked at") {
  const Mapping mapping(1 << 20);
  HostRange range(HostRangeKind::managed, mapping.memory, mapping.size, workers);
  if (!present_pages(mapping.memory, mapping.memory + mapping.size)) {
    MESSAGE("this kernel does not tell which pages are there");
    return;
  }
  CHECK(present_pages(mapping.memory, mapping.memory + mapping.size)->empty());
  mapping.memory[40 * 4096] = std::byte{1};
  CHECK(changes(range, Look::host_at_rest) == std::vector<Run>{{40 * 4096, 1}});
  CHECK(present_pages(mapping.memory, mapping.memory + mapping.size)->size() == 1);
  // Where the device has it, it is asked.
  std::vector<Run> runs;
  const auto device = [](const std::byte*, std::span<std::byte> to) {
    std::fill(to.begin(), to.end(), std::byte{7});
    return true;
  };
  range.changes(Look::whole, device, [&](const std::byte* address, std::span<const std::byte> bytes) {
    runs.push_back({static_cast<std::size_t>(address - range.begin()), bytes.size()});
  });
  CHECK(runs == std::vector<Run>{{0, 40 * 4096}, {41 * 4096, mapping.size - 41 * 4096}});
  CHECK(present_pages(mapping.memory, mapping.memory + mapping.size)->size() == 1);
}

TEST_CASE("a graph's memory may vanish") {
  HostRange range(HostRangeKind::graph, reinterpret_cast<std::byte*>(4096), 64, workers);
  CHECK(!range.changes(Look::whole, nullptr, [](const std::byte*, std::span<const std::byte>) {}));
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
