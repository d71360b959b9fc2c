// Memory beside allocations.
#include "emulator/memory/surroundings.h"

#include <doctest/doctest.h>

using namespace wedjat::memory;

namespace {

constexpr std::uint64_t page = Surroundings::page, base = 0x7f0000000000;

struct Program {
  void allocate(std::uint64_t address, std::uint64_t size) {
    surroundings.clear(address, size);
    memory.allocate_at(address, size, "program");
    surroundings.fill(address, size);
  }
  void free(std::uint64_t address) {
    memory.free(address);
    surroundings.forget(address);
  }
  bool mapped(std::uint64_t address) const { return memory.find(address).has_value(); }

  DeviceMemory memory;
  Surroundings surroundings{memory};
};

}  // namespace

TEST_CASE("the pages of an allocation and the next ones are mapped, and nothing else") {
  Program program;
  program.allocate(base + 4096, 1000);
  CHECK(program.mapped(base + 4095));
  CHECK(program.mapped(base + 4096 + 1000));
  CHECK(program.mapped(base - page));
  CHECK(program.mapped(base + 2 * page - 1));
  CHECK_FALSE(program.mapped(base - page - 1));
  CHECK_FALSE(program.mapped(base + 2 * page));
  CHECK(program.memory.find(base + 5000)->address == base + 4096);
}

TEST_CASE("allocations take what was beside others, and live allocations are kept whole") {
  Program program;
  program.allocate(base, 512);
  *program.memory.host(base, 1, "test") = std::byte{7};
  program.allocate(base + 512, 3 * page);
  CHECK(*program.memory.host(base, 1, "test") == std::byte{7});
  CHECK(program.memory.find(base + 512)->size == 3 * page);
  CHECK(program.mapped(base + 512 + 3 * page));
  CHECK(program.mapped(base + 5 * page - 1));
  program.free(base);
  CHECK_FALSE(program.mapped(base));
  program.allocate(base, 256);
  CHECK(program.mapped(base + 256));
}
