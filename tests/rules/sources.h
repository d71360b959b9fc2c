// The project's own source files, with their text.
#pragma once
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

struct Source {
  std::string path;  // from the repository root, with '/'
  std::string text;
};

inline std::vector<Source> project_sources(const std::vector<std::string>& endings) {
  namespace fs = std::filesystem;
  const fs::path root = WEDJAT_SOURCE_DIR;
  std::vector<Source> found;
  for (const char* room : {"semantics", "semcc", "emulator", "interposer", "traces", "utilities", "cli",
                           "benchmarks", "tests", "cmake", "docs"}) {
    if (!fs::exists(root / room)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const std::string ending = entry.path().extension().string();
      for (const auto& wanted : endings) {
        if (ending != wanted || !entry.is_regular_file()) continue;
        std::ifstream in(entry.path(), std::ios::binary);
        found.push_back(
            {fs::relative(entry.path(), root).generic_string(), {std::istreambuf_iterator<char>(in), {}}});
      }
    }
  }
  return found;
}
