// Detectors against the corpus: bad/NAME.ptx must be found, good/NAME.ptx (its fixed twin) must be clean.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/utilities/watched.h"

using namespace wedjat::test;
namespace fs = std::filesystem;

namespace {

struct Case {
  std::string name, text, expected, tool;
  Grid grid;
};

// "// tool race_check" "// expect shared-race" "// grid 1 64": lines at the head of a case.
Case read_case(const fs::path& path) {
  Case c;
  std::ifstream in(path);
  REQUIRE(in.good());
  c.name = path.parent_path().filename().string() + "/" + path.stem().string();
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string slashes, key;
    words >> slashes >> key;
    if (slashes == "//" && key == "tool") words >> c.tool;
    if (slashes == "//" && key == "expect") words >> c.expected;
    if (slashes == "//" && key == "grid") words >> c.grid.ctas >> c.grid.threads;
    if (slashes == "//" && key == "unwritten") c.grid.host_writes = false;
    c.text += line + "\n";
  }
  REQUIRE(!c.tool.empty());
  return c;
}

std::vector<fs::path> cases(const char* folder) {
  std::vector<fs::path> all;
  for (const auto& entry :
       fs::directory_iterator(std::string(WEDJAT_SOURCE_DIR) + "/tests/utilities/corpus/" + folder))
    all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("precision and recall over the corpus") {
  int found = 0, missed = 0, wrong = 0, pairs = 0;
  for (const fs::path& path : cases("bad")) {
    const Case bad = read_case(path);
    INFO(bad.name);
    ++pairs;
    const Watched w = watch(bad.text, {bad.tool}, bad.grid);
    const auto kinds = w.kinds();
    const bool hit = std::ranges::find(kinds, bad.expected) != kinds.end();
    CHECK_MESSAGE(hit, bad.name, " expects ", bad.expected, ", got ", w.tools[0]["findings"].dump());
    ++(hit ? found : missed);
    const Case good = read_case(path.parent_path().parent_path() / "good" / path.filename());
    const Watched clean = watch(good.text, {good.tool}, good.grid);
    CHECK_MESSAGE(clean.tools[0]["errors"] == 0, good.name, ": ", clean.tools[0]["findings"].dump(),
                  clean.failure);
    if (clean.tools[0]["errors"] != 0) ++wrong;
  }
  MESSAGE(pairs, " pairs: recall ", found, "/", found + missed, ", precision ", found, "/", found + wrong);
  CHECK(cases("good").size() == static_cast<std::size_t>(pairs));
  CHECK(pairs >= 40);
}

TEST_CASE("the same is told of the corpus in native code") {
  const auto tier = std::make_shared<wedjat::compile::Tier>(
      wedjat::compile::TierOptions{.when = wedjat::compile::When::always});
  if (!tier->missing().empty()) return;  // native_test.cpp says so
  for (const char* const folder : {"bad", "good"})
    for (const fs::path& path : cases(folder)) {
      Case c = read_case(path);
      INFO(c.name);
      const Watched interpreted = watch(c.text, {c.tool}, c.grid);
      c.grid.native = tier;
      const Watched native = watch(c.text, {c.tool}, c.grid);
      CHECK(native.tools == interpreted.tools);
      CHECK(native.failure == interpreted.failure);
    }
}

TEST_CASE("what is told of the corpus does not depend on the number of threads") {
  for (const char* const folder : {"bad", "good"})
    for (const fs::path& path : cases(folder)) {
      Case c = read_case(path);
      INFO(c.name);
      c.grid.ctas = std::max(c.grid.ctas, 16u);
      const Watched one = watch(c.text, {c.tool}, c.grid);
      c.grid.host_threads = 4;
      const Watched many = watch(c.text, {c.tool}, c.grid);
      CHECK(one.tools == many.tools);
      CHECK(one.failure == many.failure);
    }
}
