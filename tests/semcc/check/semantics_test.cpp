// The semantics of this repository as a whole.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/semcc/compile.h"

namespace fs = std::filesystem;

namespace {

const fs::path semantics = fs::path(WEDJAT_SOURCE_DIR) / "semantics";

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("all of it compiles") {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(semantics))
    if (entry.path().extension() == ".psem") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  REQUIRE(paths.size() > 100);
  const Compiled compiled = compile(paths);
  CHECK(compiled.diagnostics->text() == "");
  CHECK(compiled.form_texts().size() > 10000);
}

TEST_CASE("adding `add` again from nothing takes one file") {
  const Folder folder;
  folder.write("core.psem", text_of(semantics / "core.psem"));
  const Compiled compiled =
      compile({folder.write("integer/add.psem", text_of(semantics / "integer/add.psem"))});
  CHECK(compiled.diagnostics->text() == "");
  CHECK(compiled.form_texts() == std::vector<std::string>{"add.u16", "add.u32", "add.u64", "add.s16",
                                                          "add.s32", "add.s64", "add.sat.s32", "add.u16x2",
                                                          "add.s16x2"});
}
