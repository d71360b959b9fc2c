// What the tree must look like: small files, a README in every room, no unkept promises.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "tests/rules/sources.h"

namespace fs = std::filesystem;

TEST_CASE("no source file is longer than 500 lines, and the median is under 120") {
  std::vector<long> sizes;
  for (const auto& source : project_sources({".h", ".cpp", ".c", ".psem", ".g4", ".cu", ".cmake"})) {
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
    for (const char* kind : {".h", ".cpp", ".c", ".cu", ".psem", ".g4", ".ptx", ".py"}) CHECK(ending != kind);
  }
}

TEST_CASE("no promises are left in the sources") {
  const std::vector<std::string> words = {std::string("TO") + "DO", std::string("FIX") + "ME",
                                          std::string("XX") + "X:", std::string("not yet ") + "implemented"};
  for (const auto& source : project_sources({".h", ".cpp", ".c", ".psem", ".g4", ".cu"}))
    for (const auto& word : words) {
      INFO(source.path, ": ", word);
      CHECK(source.text.find(word) == std::string::npos);
    }
}
