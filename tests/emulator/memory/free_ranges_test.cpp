#include "emulator/memory/free_ranges.h"

#include <doctest/doctest.h>

namespace wedjat::memory {

TEST_CASE("the first place that fits is taken, at a multiple of the alignment") {
  FreeRanges free(0x1008, 0x1000);
  CHECK(free.take(8, 0x100) == 0x1100);
  CHECK(free.take(8, 8) == 0x1008);
  CHECK(free.take(0x1000, 8) == std::nullopt);
  CHECK(free.longest() == 0x2008 - 0x1108);
}

TEST_CASE("a search that starts later leaves what lies before") {
  FreeRanges free(0x1000, 0x1000);
  CHECK(free.take(0x100, 0x100, 0x1800) == 0x1800);
  CHECK(free.take(0x800, 0x100, 0x1801) == std::nullopt);
  CHECK(free.take(0x800, 0x100) == 0x1000);
}

TEST_CASE("what was given back joins its neighbours") {
  FreeRanges free(0x1000, 0x300);
  for (int piece = 0; piece < 3; ++piece) CHECK(free.take(0x100, 0x100) == 0x1000u + 0x100u * piece);
  CHECK(free.longest() == 0);
  free.give_back(0x1000, 0x100);
  free.give_back(0x1200, 0x100);
  CHECK(free.longest() == 0x100);
  free.give_back(0x1100, 0x100);
  CHECK(free.longest() == 0x300);
}

TEST_CASE("a place is taken only if all of it is free") {
  FreeRanges free(0x1000, 0x1000);
  CHECK_FALSE(free.take_at(0xff8, 0x10));
  CHECK_FALSE(free.take_at(0x1ff8, 0x10));
  CHECK(free.take_at(0x1800, 0x100));
  CHECK_FALSE(free.take_at(0x17f8, 0x10));
  CHECK_FALSE(free.take_at(0x18f8, 0x10));
  CHECK(free.take_at(0x1900, 0x700));
}

}  // namespace wedjat::memory
