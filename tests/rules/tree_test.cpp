// What the tree must look like: small files, a README in every room, no unkept promises.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "tests/rules/sources.h"

namespace fs = std::filesystem;

TEST_CASE("no source file is longer than 500 lines, and the median is under 120") {
  std::vector<long> sizes;
  for (const auto& source : project_sources({".h", ".hpp", ".cpp", ".c", ".psem", ".g4", ".cu", ".cmake"})) {
    if (source.path.find("_mufu.psem") != std::string::npos) continue;  // tables of measured numbers
    const long lines = std::count(source.text.begin(), source.text.end(), '\n');
    INFO(source.path);
    CHECK(lines <= 500);
    sizes.push_back(lines);
  }
  REQUIRE(!sizes.empty());
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<long>(sizes.size() / 2), sizes.end());
  CHECK(sizes[sizes.size() / 2] < 120);
}

TEST_CASE("no folder holds more than 30 sources") {
  std::map<std::string, int> sources;
  for (const auto& source : project_sources({".h", ".hpp", ".cpp", ".c"}))
    ++sources[fs::path(source.path).parent_path().generic_string()];
  REQUIRE(!sources.empty());
  for (const auto& folder : sources) {
    INFO(folder.first);
    CHECK(folder.second <= 30);
  }
}

TEST_CASE("every room has a README") {
  const fs::path root = WEDJAT_SOURCE_DIR;
  for (const char* room :
       {"semantics", "semcc", "emulator", "interposer", "traces", "cli", "benchmarks", "tests"}) {
    INFO(room);
    CHECK(fs::exists(root / room / "README.md"));
  }
  for (const char* parent : {"semcc", "emulator", "interposer", "traces", "cli"})
    for (const auto& entry : fs::directory_iterator(root / parent))
      if (entry.is_directory()) {
        INFO(entry.path().string());
        CHECK(fs::exists(entry.path() / "README.md"));
      }
}

TEST_CASE("sources and cases lie in a room, not at the top") {
  for (const auto& entry : fs::directory_iterator(WEDJAT_SOURCE_DIR)) {
    const std::string ending = entry.path().extension().string();
    INFO(entry.path().string());
    for (const char* kind : {".h", ".hpp", ".cpp", ".c", ".cu", ".psem", ".g4", ".ptx", ".py"})
      CHECK(ending != kind);
  }
}

TEST_CASE("no promises are left in the sources") {
  const std::vector<std::string> words = {std::string("TO") + "DO", std::string("FIX") + "ME",
                                          std::string("XX") + "X:", std::string("not yet ") + "implemented"};
  for (const auto& source : project_sources({".h", ".hpp", ".cpp", ".c", ".psem", ".g4", ".cu", ".py"}))
    for (const auto& word : words) {
      INFO(source.path, ": ", word);
      CHECK(source.text.find(word) == std::string::npos);
    }
}

TEST_CASE("no generated code is kept beside the sources") {
  // Everything that is generated says so in its first line.
  for (const auto& source : project_sources({".h", ".hpp", ".cpp", ".c", ".smt2", ".html"})) {
    INFO(source.path);
    CHECK(source.text.rfind("// Generated", 0) == std::string::npos);
    CHECK(source.text.rfind("; Generated", 0) == std::string::npos);
  }
}

TEST_CASE("a test is found by its name, and is run") {
  const fs::path root = WEDJAT_SOURCE_DIR;
  for (const auto& source : project_sources({".cpp"})) {
    if (source.text.find("\nTEST_CASE(") == std::string::npos) continue;
    INFO(source.path);
    CHECK(source.path.rfind("tests/", 0) == 0);
    CHECK(source.path.find("_test.cpp") != std::string::npos);
    // The CMakeLists.txt of its folder, or of the nearest one above that has one, names it.
    fs::path folder = fs::path(source.path).parent_path();
    while (!folder.empty() && !fs::exists(root / folder / "CMakeLists.txt")) folder = folder.parent_path();
    std::ifstream in(root / folder / "CMakeLists.txt");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::replace(text.begin(), text.end(), ')', ' ');
    std::istringstream list(text);
    const std::set<std::string> words{std::istream_iterator<std::string>(list), {}};
    CHECK(words.count(fs::relative(source.path, folder).generic_string()) == 1);
  }
}
