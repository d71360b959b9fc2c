// Allocations at given addresses, and the device heap.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "emulator/memory/heap.h"
#include "emulator/memory/windows.h"

using namespace wedjat::memory;

namespace {

// What the kernel notes of the mapping that holds it.
bool may_have_large_pages(const std::byte* at) {
  std::ifstream maps("/proc/self/smaps");
  bool holds = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0, end = 0;
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    if (std::sscanf(line.c_str(), "%llx-%llx ", &begin, &end) == 2) holds = begin <= address && address < end;
    if (holds && line.starts_with("VmFlags:")) return line.find(" hg") != line.npos;
  }
  return false;
}

}  // namespace

TEST_CASE("memory lies at the address that was asked for, zeroed, and keeps what is written") {
  DeviceMemory memory;
  memory.allocate_at(0x7f0000000100, 100, "small");
  memory.allocate_at(0x7f0000001000, 1 << 20, "large");
  std::byte* small = memory.host(0x7f0000000100, 100, "test");
  for (int i = 0; i < 100; ++i) CHECK(small[i] == std::byte{0});
  std::memset(small, 7, 100);
  CHECK(*memory.host(0x7f0000000163, 1, "test") == std::byte{7});
  CHECK(memory.find(0x7f0000000163)->address == 0x7f0000000100);
  CHECK_FALSE(memory.find(0x7f0000000164));
  CHECK_FALSE(memory.find(0x7f00000000ff));
  CHECK_THROWS_WITH_AS(memory.host(0x7f0000000164, 1, "cuMemcpyDtoH"),
                       "cuMemcpyDtoH: 1 bytes at 0x7f0000000164 are not allocated; 0 bytes after the end of "
                       "'small' (100 bytes at "
                       "0x7f0000000100)",
                       Error);
}

TEST_CASE("arrays of some MiB may have large pages, small and very large ones may not") {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) return;  // the system has none
  DeviceMemory memory;
  memory.allocate_at(0x7e0000000000, 1 << 20, "small");
  memory.allocate_at(0x7e0010000000, 8 << 20, "some");
  memory.allocate_at(0x7e1000000000, std::uint64_t{4} << 30, "very large");
  CHECK_FALSE(may_have_large_pages(memory.host(0x7e0000000000, 1, "test")));
  CHECK(may_have_large_pages(memory.host(0x7e0010000000, 1, "test")));
  CHECK_FALSE(may_have_large_pages(memory.host(0x7e1000000000, 1, "test")));
}

TEST_CASE("host bytes are as aligned as device bytes") {
  DeviceMemory memory;
  for (std::uint64_t address : {0x7f0000000004, 0x7f0000100010, 0x7f0000200028, 0x7f0000300041}) {
    memory.allocate_at(address, 1 << 15, "small");
    memory.allocate_at(address + 0x1000000, 1 << 18, "large");
    for (std::uint64_t at : {address, address + 0x1000000})
      CHECK(reinterpret_cast<std::uintptr_t>(memory.host(at, 1, "test")) % 64 == at % 64);
  }
}

TEST_CASE("addresses that are taken, reserved or no addresses are refused") {
  DeviceMemory memory;
  memory.allocate_at(0x1000, 0x1000, "a");
  CHECK_NOTHROW(memory.allocate_at(0x2000, 0x1000, "b"));
  CHECK_THROWS_AS(memory.allocate_at(0x1fff, 1, "c"), Error);
  CHECK_THROWS_AS(memory.allocate_at(0x800, 0x801, "c"), Error);
  CHECK_THROWS_AS(memory.allocate_at(0x800, 0x10000, "c"), Error);
  CHECK_THROWS_AS(memory.allocate_at(0x5000, 0, "c"), Error);
  CHECK_THROWS_AS(memory.allocate_at(~0ull - 10, 100, "c"), Error);
  CHECK_THROWS_WITH_AS(memory.allocate_at(shared_window.base - 1, 2, "c"),
                       doctest::Contains("overlap the window"), Error);
  memory.free(0x1000);
  CHECK_NOTHROW(memory.allocate_at(0x1fff, 1, "c"));
}

TEST_CASE("freed memory is gone, and remembered") {
  DeviceMemory memory;
  memory.allocate_at(0x1000, 0x100, "a");
  const auto before = memory.generation();
  CHECK_THROWS_AS(memory.free(0x1001), Error);
  memory.free(0x1000);
  CHECK(memory.generation() != before);
  CHECK_FALSE(memory.find(0x1000));
  CHECK(memory.was_freed(0x10ff));
  CHECK_FALSE(memory.was_freed(0x1100));
  CHECK(memory.describe(0x1008) == "byte 8 of 'a' (256 bytes at 0x1000), which was freed");
  CHECK_THROWS_AS(memory.free(0x1000), Error);
  memory.allocate_at(0x1000, 0x10, "b");
  CHECK_FALSE(memory.was_freed(0x1000));
}

// A host thread remembers what it found: not past the memory's end, nor when the same address is allocated
// again.
TEST_CASE("what was found is found anew where memory changed") {
  constexpr std::uint64_t address = 0x7f0000000000;
  for (const std::uint64_t size : {4096, 8192, 64}) {
    DeviceMemory memory;
    CHECK_FALSE(memory.find(address).has_value());
    memory.allocate_at(address, size, "a");
    memory.allocate_at(address + (1 << 20), 256, "b");  // remembered in the same place
    for (int again = 0; again < 2; ++again) {
      const auto found = memory.find(address + size - 1), other = memory.find(address + (1 << 20));
      REQUIRE(found.has_value());
      REQUIRE(other.has_value());
      CHECK(found->size == size);
      CHECK(other->size == 256);
    }
    *memory.host(address, size, "here") = std::byte{1};
    memory.free(address);
    CHECK_FALSE(memory.find(address).has_value());
    memory.allocate_at(address, 2 * size, "a again");
    CHECK(memory.find(address)->size == 2 * size);
    CHECK(*memory.host(address, 1, "here") == std::byte{0});
  }
}

TEST_CASE("reports name the nearest allocation") {
  DeviceMemory memory;
  CHECK(memory.describe(5) == "nothing is allocated");
  memory.allocate_at(0x1000, 0x10, "a");
  memory.allocate_at(0x2000, 0x10, "b");
  CHECK(memory.describe(0xff0) == "16 bytes before 'a' (16 bytes at 0x1000)");
  CHECK(memory.describe(0x1100) == "240 bytes after the end of 'a' (16 bytes at 0x1000)");
  CHECK(memory.describe(0x1f00) == "256 bytes before 'b' (16 bytes at 0x2000)");
}

TEST_CASE("the heap hands out disjoint blocks, takes them back and joins what is free") {
  DeviceMemory memory;
  Heap heap(memory, 4096);
  const auto a = heap.allocate(1000), b = heap.allocate(1000), c = heap.allocate(1000);
  CHECK(a != 0);
  CHECK(b >= a + 1000);
  CHECK(c >= b + 1000);
  CHECK(a % 16 == 0);
  CHECK(heap.allocate(2000) == 0);
  CHECK(heap.allocate(0) == 0);
  CHECK(heap.free(a));
  CHECK_FALSE(heap.free(a));
  CHECK_FALSE(heap.free(b + 16));
  CHECK(heap.free(0));
  CHECK(heap.free(c));
  CHECK(heap.free(b));
  CHECK(heap.allocate(4000) == a);
  CHECK(memory.find(a + 3999));
  CHECK_FALSE(memory.find(a + 4000));
}

TEST_CASE("memory of the host appears at an address of the device, and stays the host's") {
  alignas(64) std::byte here[128] = {};
  wedjat::memory::DeviceMemory memory;
  memory.adopt_at(0x7000000000, here, sizeof here, "host");
  CHECK(memory.host(0x7000000010, 4, "test") == here + 16);
  CHECK_THROWS_AS(memory.adopt_at(0x7000000040, here, 64, "again"), wedjat::memory::Error);
  CHECK_THROWS_AS(memory.adopt_at(0x7100000001, here, 64, "skewed"), wedjat::memory::Error);
  memory.free(0x7000000000);
  CHECK(memory.was_freed(0x7000000000));
  here[0] = std::byte{1};
}
