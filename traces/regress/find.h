// Recordings in folders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wedjat::traces {

struct Recording {
  std::string suite;           // the folder it lies in
  std::string name;            // without .tar.zst or .trace
  std::filesystem::path path;  // a packed trace or a trace folder

  std::string full_name() const { return suite + "/" + name; }
};

// All below `folder`, itself included if it is a trace, sorted by suite and name. Throws FormatError if there
// is none.
std::vector<Recording> find_recordings(const std::filesystem::path& folder);

}  // namespace wedjat::traces
