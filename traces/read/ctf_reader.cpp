#include "traces/read/ctf_reader.h"

#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/read/ctf_metadata.h"
#include "traces/read/ctf_stream.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMetadata = "metadata";

// LTTng writes one CTF trace a user: the folders with a metadata file.
std::vector<fs::path> traces_below(const fs::path& events, const std::vector<fs::path>& files) {
  std::vector<fs::path> traces;
  for (const fs::path& file : files)
    if (file.filename() == kMetadata) traces.push_back(file.parent_path());
  if (traces.empty()) throw FormatError(events.string(), "no CTF metadata file below this folder");
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
  if (!fs::is_directory(events)) throw FormatError(events.string(), "the folder of events is missing");
  const std::vector<fs::path> files = files_below(events);
  std::vector<Event> found;
  for (const fs::path& trace : traces_below(events, files)) {
    CtfLayout layout;
    attempt([&] { read_ctf_metadata(trace / kMetadata, layout); });
    for (const fs::path& file : files)
      if (file.parent_path() == trace && file.filename() != kMetadata)
        attempt([&] { read_ctf_stream(file, layout, found); });
  }
  return found;
}

}  // namespace wedjat::traces
