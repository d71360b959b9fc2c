// Every program of the regression suites has its recording and a README, and no recording is left without a
// program.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>

namespace fs = std::filesystem;

namespace {

const fs::path root = WEDJAT_SOURCE_DIR;

std::set<std::string> programs_of(const std::string& suite) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(root / "benchmarks" / suite)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory()) continue;
    INFO(entry.path().string());
    CHECK(fs::exists(entry.path() / (name + ".cu")));
    CHECK(fs::exists(entry.path() / "README.md"));
    names.insert(name);
  }
  return names;
}

std::set<std::string> recordings_of(const std::string& suite) {
  const std::string ending = ".tar.zst";
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(root / "traces" / "regression" / suite)) {
    const std::string name = entry.path().filename().string();
    if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
      names.insert(name.substr(0, name.size() - ending.size()));
  }
  return names;
}

}  // namespace

TEST_CASE("programs and recordings of Polybench") {
  CHECK(programs_of("polybench").size() == 21);
  CHECK(recordings_of("polybench") == programs_of("polybench"));
}

TEST_CASE("programs and recordings of Rodinia") {
  CHECK(programs_of("rodinia").size() == 23);
  CHECK(recordings_of("rodinia") == programs_of("rodinia"));
}

TEST_CASE("the recordings are at most 60 MiB together") {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "traces" / "regression"))
    if (entry.is_regular_file()) bytes += entry.file_size();
  CHECK(bytes <= std::uintmax_t{60} << 20);
}
