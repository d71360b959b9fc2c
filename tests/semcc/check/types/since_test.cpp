#include "semcc/check/types/since.h"

#include <doctest/doctest.h>

using semcc::check::narrow;
using semcc::ir::Since;
using Targets = std::vector<std::string>;

TEST_CASE("the later version counts") {
  Since since{7, 8, {}};
  CHECK(narrow(since, {6, 0, {}}));
  CHECK(since.ptx_major == 7);
  CHECK(narrow(since, {8, 0, {}}));
  CHECK(since.ptx_major == 8);
  CHECK(since.ptx_minor == 0);
}

TEST_CASE("of two targets the newer counts; a flavour is only itself") {
  Since since{0, 0, {"sm_70"}};
  CHECK(narrow(since, {0, 0, {"sm_90"}}));
  CHECK(since.targets == Targets{"sm_90"});
  CHECK(narrow(since, {0, 0, {"sm_80"}}));
  CHECK(since.targets == Targets{"sm_90"});
  CHECK(narrow(since, {0, 0, {"sm_90a", "sm_100f"}}));
  CHECK(since.targets == Targets{"sm_90a", "sm_100f"});
  CHECK(narrow(since, {0, 0, {"sm_100"}}));
  CHECK(since.targets == Targets{"sm_100f"});
  CHECK_FALSE(narrow(since, {0, 0, {"sm_110a"}}));
}

TEST_CASE("of a family and one of its members the member counts") {
  Since since{0, 0, {"sm_100f", "sm_110f"}};
  CHECK(narrow(since, {0, 0, {"sm_103f", "sm_110a"}}));
  CHECK(since.targets == Targets{"sm_103f", "sm_110a"});
  CHECK(narrow(since, {0, 0, {"sm_103a", "sm_110f"}}));
  CHECK(since.targets == Targets{"sm_103a", "sm_110a"});
  CHECK(narrow(since, {0, 0, {"sm_100f"}}));
  CHECK(since.targets == Targets{"sm_103a"});
  CHECK_FALSE(narrow(since, {0, 0, {"sm_120f"}}));
}
