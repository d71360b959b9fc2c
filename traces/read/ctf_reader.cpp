#include "traces/read/ctf_reader.h"

#include <algorithm>

#include "traces/format/error.h"
#include "traces/read/ctf_metadata.h"
#include "traces/read/ctf_stream.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMetadata = "metadata";

// In the order of their names, so that the same trace gives the same account of its damage.
std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != kMetadata) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// LTTng writes one CTF trace a user: the folders with a metadata file.
std::vector<fs::path> traces_below(const fs::path& events) {
  if (!fs::is_directory(events)) throw FormatError(events.string(), "the folder of events is missing");
  std::vector<fs::path> traces;
  for (const auto& entry : fs::recursive_directory_iterator(events))
    if (entry.is_regular_file() && entry.path().filename() == kMetadata)
      traces.push_back(entry.path().parent_path());
  if (traces.empty()) throw FormatError(events.string(), "no CTF metadata file below this folder");
  std::sort(traces.begin(), traces.end());
  return traces;
}

}  // namespace

std::vector<Event> read_ctf(const fs::path& events, std::vector<std::string>& damage) {
  const auto attempt = [&](auto&& read) {
    try {
      read();
    } catch (const FormatError& error) {
      damage.emplace_back(error.what());
    }
  };
  std::vector<Event> found;
  for (const fs::path& trace : traces_below(events)) {
    CtfLayout layout;
    attempt([&] { read_ctf_metadata(trace / kMetadata, layout); });
    for (const fs::path& stream : files_of(trace)) attempt([&] { read_ctf_stream(stream, layout, found); });
  }
  return found;
}

}  // namespace wedjat::traces
