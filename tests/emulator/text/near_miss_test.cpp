// Names that somebody mistyped.
#include "emulator/text/near_miss.h"

#include <doctest/doctest.h>

#include <vector>

using wedjat::text::did_you_mean;
using wedjat::text::near_miss;

TEST_CASE("the nearest of the names, if it is near") {
  const std::vector<std::string> names = {"replay", "record", "regress", "run", "reduce"};
  CHECK(near_miss("replai", names) == "replay");
  CHECK(near_miss("reply", names) == "replay");
  CHECK(near_miss("rerecord", names) == "record");
  CHECK(near_miss("recrod", names) == "record");
  CHECK(near_miss("frobnicate", names).empty());
  CHECK(near_miss("ru", names).empty());
  CHECK(near_miss("", names).empty());
  CHECK(near_miss("replay", {}).empty());
  CHECK(did_you_mean("replai", names) == "; did you mean replay?");
  CHECK(did_you_mean("frobnicate", names).empty());
}
