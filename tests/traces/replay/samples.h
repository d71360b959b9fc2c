// The recordings that come with the project.
#pragma once
#include <algorithm>
#include <filesystem>
#include <vector>

inline std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(WEDJAT_SOURCE_DIR) / "traces" / "samples"))
    if (entry.path().string().ends_with(".tar.zst")) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}
