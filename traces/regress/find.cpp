#include "traces/regress/find.h"

#include <algorithm>
#include <tuple>

#include "traces/format/error.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

bool is_folder_trace(const fs::path& path) { return fs::is_regular_file(path / "manifest.json"); }

Recording recording(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  std::string name = whole.filename().string();
  for (const std::string ending : {".tar.zst", ".trace"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return {whole.parent_path().filename().string(), name, path};
}

}  // namespace

std::vector<Recording> find_recordings(const fs::path& folder) {
  std::error_code error;
  std::vector<Recording> found;
  if (is_folder_trace(folder) ||
      (fs::is_regular_file(folder, error) && folder.string().ends_with(".tar.zst"))) {
    found.push_back(recording(folder));
    return found;
  }
  if (!fs::is_directory(folder, error)) throw FormatError(folder.string(), "no folder and no recording");
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (entry->is_directory() && is_folder_trace(entry->path())) {
      found.push_back(recording(entry->path()));
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && entry->path().string().ends_with(".tar.zst")) {
      found.push_back(recording(entry->path()));
    }
  }
  if (found.empty()) throw FormatError(folder.string(), "no recordings in this folder");
  std::ranges::sort(found, {}, [](const Recording& r) { return std::tie(r.suite, r.name); });
  return found;
}

}  // namespace wedjat::traces
