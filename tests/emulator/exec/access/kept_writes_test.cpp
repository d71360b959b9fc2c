// What a launch may write is kept, and who may not read it is told.
#include "emulator/exec/access/kept_writes.h"

#include <doctest/doctest.h>

#include <vector>

#include "emulator/exec/access/fault.h"

using namespace wedjat;
using exec::KeptWrites;

namespace {

constexpr std::uint64_t address = 0x1000;

struct Allocation {
  std::vector<std::byte> bytes = std::vector<std::byte>(100'000);
  memory::Extent extent() { return {address, bytes.size(), bytes.data()}; }
  KeptWrites::Bytes part(std::size_t first, std::size_t size) { return {bytes.data() + first, size}; }
};

}  // namespace

TEST_CASE("steps that read anywhere get what lies between what is written") {
  Allocation memory;
  KeptWrites kept({memory.part(500, 100), memory.part(200, 50), memory.part(550, 80)}, {true, false});
  const auto readable = [&](std::uint64_t offset, std::uint64_t bytes) {
    const memory::Extent part = kept.readable(0, memory.extent(), address + offset, bytes);
    CHECK(part.host - memory.bytes.data() == static_cast<std::ptrdiff_t>(part.address - address));
    return std::pair(part.address - address, part.address - address + part.size);
  };
  CHECK(readable(0, 4) == std::pair<std::uint64_t, std::uint64_t>(0, 200));
  CHECK(readable(199, 1) == std::pair<std::uint64_t, std::uint64_t>(0, 200));
  CHECK(readable(250, 250) == std::pair<std::uint64_t, std::uint64_t>(250, 500));
  CHECK(readable(630, 4) == std::pair<std::uint64_t, std::uint64_t>(630, 100'000));
  CHECK_FALSE(kept.were_read());
  using Place = std::pair<std::uint64_t, std::uint64_t>;
  for (const Place& place : {Place{197, 4}, {200, 1}, {249, 4}, {499, 2}, {600, 8}, {629, 1}}) {
    CAPTURE(place.first);
    CHECK_THROWS_AS(readable(place.first, place.second), exec::Abandoned);
  }
  CHECK(kept.were_read());
}

TEST_CASE("steps whose addresses are known get all there is") {
  Allocation memory;
  KeptWrites kept({memory.part(0, 100)}, {true, false});
  CHECK(kept.readable(1, memory.extent(), address + 50, 4).size == memory.bytes.size());
}

TEST_CASE("memory of another allocation is not asked about, the same memory at another address is") {
  Allocation written, other;
  KeptWrites kept({written.part(0, written.bytes.size())}, {true});
  CHECK(kept.readable(0, other.extent(), address, 4).size == other.bytes.size());
  memory::Extent again = written.extent();
  again.address = 0x900000;
  CHECK_THROWS_AS(kept.readable(0, again, again.address, 4), exec::Abandoned);
}

TEST_CASE("what was kept is put back, and nothing else") {
  Allocation memory;
  for (std::size_t i = 0; i < memory.bytes.size(); ++i) memory.bytes[i] = static_cast<std::byte>(i * 7);
  const std::vector<std::byte> before = memory.bytes;
  KeptWrites kept({memory.part(10, 70'000), memory.part(80'000, 1)}, {});
  CHECK(kept.pieces() > 2);
  for (std::size_t piece = 0; piece < kept.pieces(); ++piece) kept.keep(piece);
  memory.bytes.assign(memory.bytes.size(), std::byte{1});
  kept.restore();
  for (std::size_t i = 0; i < memory.bytes.size(); ++i) {
    const bool written = (i >= 10 && i < 70'010) || i == 80'000;
    if (memory.bytes[i] != (written ? before[i] : std::byte{1})) FAIL(i);
  }
}
