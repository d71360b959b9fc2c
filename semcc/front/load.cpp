#include "semcc/front/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "semcc/front/parse.h"

namespace semcc::front {
namespace fs = std::filesystem;
namespace {

// `name` in `dir` or in a folder right below it; empty if in neither.
std::string find_in(const fs::path& dir, const fs::path& name) {
  std::error_code ignored;
  if (fs::is_regular_file(dir / name, ignored)) return (dir / name).lexically_normal().string();
  std::string found;  // the first by name: the order of a folder's entries is the system's affair
  for (const fs::directory_entry& entry :
       fs::directory_iterator(dir.empty() ? fs::path(".") : dir, ignored)) {
    const fs::path candidate = (dir / entry.path().filename() / name).lexically_normal();
    if (!fs::is_regular_file(candidate, ignored)) continue;
    if (found.empty() || candidate.string() < found) found = candidate.string();
  }
  return found;
}

// `name` beside `from`, or in the folder above and its folders: a chapter may import from another.
std::string find_import(const fs::path& from, const fs::path& name) {
  const fs::path dir = from.parent_path();
  const std::string beside = find_in(dir, name);
  return beside.empty() ? find_in(dir / "..", name) : beside;
}

}  // namespace

int Loader::open(const std::string& path, Location asked_from) {
  const std::string name = fs::path(path).lexically_normal().string();
  if (const int known = library_.sources.find(name); known >= 0) return known;
  std::ifstream stream(name, std::ios::binary);
  std::ostringstream text;
  if (!fs::is_regular_file(name) || !(text << stream.rdbuf())) {
    diagnostics_.error(asked_from, fmt::format("cannot read {}", name));
    return -1;
  }
  const int source = library_.sources.add(name, text.str());
  library_.files.push_back(parse(library_.sources, source, diagnostics_));
  imports_.emplace_back();
  for (const Import& import : library_.files[static_cast<std::size_t>(source)].imports) {
    const std::string found = find_import(name, import.name + ".psem");
    if (found.empty()) {
      diagnostics_.error(
          import.at,
          fmt::format("no file {}.psem here, in the folder above or in one of its folders", import.name));
      continue;
    }
    if (const int target = open(found, import.at); target >= 0)
      imports_[static_cast<std::size_t>(source)].push_back(target);
  }
  return source;
}

void Loader::see(int file, std::vector<int>& seen) const {
  if (std::find(seen.begin(), seen.end(), file) != seen.end()) return;
  seen.push_back(file);
  for (const int next : imports_[static_cast<std::size_t>(file)]) see(next, seen);
}

void Loader::load(const std::vector<std::string>& paths, const std::string& profile) {
  for (const std::string& path : paths) {
    const int file = open(path, {});
    if (file >= 0 && std::find(library_.roots.begin(), library_.roots.end(), file) == library_.roots.end())
      library_.roots.push_back(file);
  }
  if (!profile.empty() && !library_.roots.empty()) {
    const std::string& first = library_.sources[library_.roots.front()].path;
    const std::string found = find_import(first, fs::path("profiles") / (profile + ".psem"));
    if (!found.empty()) library_.profile = open(found, {});
  }
  for (int file = 0; file < library_.sources.size(); ++file) see(file, library_.visible.emplace_back());
}

}  // namespace semcc::front
