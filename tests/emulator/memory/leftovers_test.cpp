// What freed memory held.
#include <doctest/doctest.h>

#include <cstring>

#include "emulator/memory/device_memory.h"

using namespace wedjat::memory;

namespace {

constexpr std::uint64_t base = 0x7f0000000000;

struct Program {
  void allocate(std::uint64_t offset, std::uint64_t size) {
    memory.allocate_again_at(base + offset, size, "block");
  }
  void write(std::uint64_t offset, std::uint64_t size, int value) {
    std::memset(memory.host(base + offset, size, "write"), value, size);
  }
  int at(std::uint64_t offset) const { return static_cast<int>(*memory.host(base + offset, 1, "read")); }
  void free(std::uint64_t offset) { memory.free(base + offset); }

  DeviceMemory memory;
};

}  // namespace

TEST_CASE("memory handed out again holds what it held, new memory zeros") {
  Program p;
  p.allocate(256, 512);
  p.write(256, 512, 7);
  p.free(256);
  p.allocate(0, 512);
  CHECK(p.at(255) == 0);
  CHECK(p.at(256) == 7);
  CHECK(p.at(511) == 7);
  p.allocate(512, 512);
  CHECK(p.at(512) == 7);
  CHECK(p.at(767) == 7);
  CHECK(p.at(768) == 0);
}

TEST_CASE("what was written last is found, in pieces of several blocks") {
  Program p;
  p.allocate(0, 1024);
  p.write(0, 1024, 1);
  p.free(0);
  p.allocate(256, 256);
  p.write(256, 256, 2);
  p.free(256);
  p.allocate(0, 1024);
  CHECK(p.at(255) == 1);
  CHECK(p.at(256) == 2);
  CHECK(p.at(511) == 2);
  CHECK(p.at(512) == 1);
  CHECK(p.at(1023) == 1);
}

TEST_CASE("a module's variables begin as zeros wherever they lie") {
  Program p;
  p.allocate(0, 256);
  p.write(0, 256, 9);
  p.free(0);
  p.memory.allocate_at(base, 256, ".global x");
  CHECK(p.at(0) == 0);
}

TEST_CASE("a block counts whole as long as a piece of it is known") {
  constexpr std::uint64_t half = Leftovers::most / 2, far = Leftovers::most;
  Program p;
  p.allocate(0, half);
  p.write(0, half, 1);
  p.free(0);
  p.allocate(16, half);  // 16 bytes of the first stay
  p.free(16);
  p.allocate(far, 16);
  p.write(far, 16, 2);
  p.free(far);  // more than is kept: the others go
  p.allocate(0, 16);
  CHECK(p.at(0) == 0);
  p.allocate(far, 16);
  CHECK(p.at(far) == 2);
}

TEST_CASE("more than is kept is forgotten") {
  Program p;
  p.allocate(0, Leftovers::most + 1);
  p.write(0, 1, 3);
  p.free(0);
  p.allocate(0, 16);
  CHECK(p.at(0) == 0);
}
