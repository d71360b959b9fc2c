// pass/*.psem has no errors, and exactly the forms its `// form …` lines name, in any order.
// fail/*.psem has exactly the errors its `// error LINE:COLUMN: start of the message` lines name.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/semcc/compile.h"

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> cases(const std::string& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(WEDJAT_SOURCE_DIR) / "tests/semcc" / folder))
    if (entry.path().extension() == ".psem") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// What stands after `// word ` in the lines of a file.
std::vector<std::string> remarks(const fs::path& path, const std::string& word) {
  std::ifstream in(path);
  const std::string start = "// " + word + " ";
  std::vector<std::string> found;
  for (std::string line; std::getline(in, line);)
    if (line.rfind(start, 0) == 0) found.push_back(line.substr(start.size()));
  return found;
}

}  // namespace

TEST_CASE("pass") {
  const auto paths = cases("pass");
  CHECK(paths.size() >= 15);
  for (const fs::path& path : paths) {
    INFO(path.filename().string());
    const Compiled compiled = compile({path.string()});
    CHECK(compiled.diagnostics->text() == "");
    std::vector<std::string> expected = remarks(path, "form"), texts = compiled.form_texts();
    std::sort(expected.begin(), expected.end());
    std::sort(texts.begin(), texts.end());
    CHECK(fmt::format("{}", fmt::join(texts, "\n")) == fmt::format("{}", fmt::join(expected, "\n")));
  }
}

TEST_CASE("fail") {
  const auto paths = cases("fail");
  CHECK(paths.size() >= 80);
  for (const fs::path& path : paths) {
    INFO(path.filename().string());
    const std::vector<std::string> expected = remarks(path, "error");
    REQUIRE(!expected.empty());
    const Compiled compiled = compile({path.string()});
    const auto errors = compiled.diagnostics->sorted();
    INFO(compiled.diagnostics->text());
    REQUIRE(errors.size() == expected.size());
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const std::string got =
          fmt::format("{}:{}: {}", errors[i].at.line, errors[i].at.column, errors[i].message);
      CHECK(got.substr(0, expected[i].size()) == expected[i]);
    }
  }
}
