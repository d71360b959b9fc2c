#include "emulator/installation/installation.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace wedjat {

namespace fs = std::filesystem;

// The system's own list of what is mapped: a program's arguments and the loader's search path may be relative
// to a folder that is not the current one any more.
fs::path own_file() {
  static const char here = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(&here);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t begin = 0, end = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n", &begin, &end, &path) != 2)
      continue;
    if (address < begin || address >= end || path == 0) continue;
    return line.substr(static_cast<std::size_t>(path));
  }
  return {};
}

fs::path installation_of(const fs::path& file) {
  const auto is_ours = [](const fs::path& folder) {
    return folder.filename() == "wedjat" && folder.parent_path().filename() == "lib";
  };
  fs::path folder = file.parent_path();
  if (is_ours(folder.parent_path()) && folder.filename() != "lib" && folder.filename() != "bin")
    folder = folder.parent_path();
  if (is_ours(folder)) folder = folder.parent_path();
  return folder.parent_path();
}

fs::path installation() {
  if (const char* given = std::getenv("WEDJAT_INSTALLATION")) return given;
  return installation_of(own_file());
}

}  // namespace wedjat
