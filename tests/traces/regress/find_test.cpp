#include "traces/regress/find.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "traces/format/error.h"

using namespace wedjat::traces;

TEST_CASE("recordings are named after their file and the folder it lies in") {
  const auto found = find_recordings(WEDJAT_SOURCE_DIR "/traces/samples");
  REQUIRE(found.size() >= 15);
  CHECK(std::ranges::is_sorted(found, {}, &Recording::name));
  CHECK(found.front().full_name() == "samples/bfs");
  const auto one = find_recordings(WEDJAT_SOURCE_DIR "/traces/samples/saxpy.tar.zst");
  REQUIRE(one.size() == 1);
  CHECK(one[0].full_name() == "samples/saxpy");
}

TEST_CASE("a folder without recordings is an error") {
  CHECK_THROWS_AS(find_recordings(WEDJAT_SOURCE_DIR "/traces/diff"), FormatError);
  CHECK_THROWS_AS(find_recordings(WEDJAT_SOURCE_DIR "/traces/nowhere"), FormatError);
}
