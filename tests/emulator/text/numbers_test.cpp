#include "emulator/text/numbers.h"

#include <doctest/doctest.h>

using wedjat::text::counted;
using wedjat::text::grouped;

TEST_CASE("thousands are told apart") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(123456) == "123,456");
  CHECK(grouped(18446744073709551615u) == "18,446,744,073,709,551,615");
}

TEST_CASE("one is no plural") {
  CHECK(counted(0, "launch", "launches") == "0 launches");
  CHECK(counted(1, "launch", "launches") == "1 launch");
  CHECK(counted(180000, "access", "accesses") == "180,000 accesses");
}
