#include "traces/read/trace_files.h"

#include <algorithm>
#include <string>
#include <vector>

#include "traces/format/hash.h"
#include "traces/format/names.h"

namespace wedjat::traces {
namespace {

// What LTTng and the recorder put into names.
bool is_plain(std::string_view part) {
  constexpr std::string_view signs = "._-+:@,=";
  return !part.empty() && part.size() <= 255 && part != "." && part != ".." &&
         std::ranges::all_of(part, [&](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  signs.find(c) != signs.npos;
         });
}

std::vector<std::string_view> split(std::string_view name) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto slash = name.find('/');
    parts.push_back(name.substr(0, slash));
    if (slash == name.npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

}  // namespace

bool is_trace_file(std::string_view name) {
  constexpr std::size_t deepest = 12;
  if (name == kManifestFile || name == kStateFile) return true;
  const auto parts = split(name);
  if (parts.size() < 2 || parts.size() > deepest || !std::ranges::all_of(parts, is_plain)) return false;
  if (parts[0] == kEventsFolder) return true;
  if (parts[0] != kBlobsFolder) return false;
  if (parts[1] == "packs") return parts.size() == 3 && parts[2].ends_with(".pack");
  return parts[1] == "files" && parts.size() == 4 && hash_from_hex(parts[3]) &&
         parts[2] == parts[3].substr(0, 2);
}

}  // namespace wedjat::traces
