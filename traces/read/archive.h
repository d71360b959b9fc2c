// A trace as one file: a zstd-compressed tar archive of its folder, easy to carry and an order smaller.
#pragma once

#include <filesystem>
#include <string>

namespace wedjat::traces {

// A folder that is removed with its contents at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int owner_ = 0;  // the process that made it
};

// Whether `file` begins as a zstd frame does.
bool is_packed_trace(const std::filesystem::path& file);

// Writes the files of `folder` to `file`, in the order of their names, without dates and owners: the same
// folder gives the same bytes. Throws FormatError.
void pack_trace(const std::filesystem::path& folder, const std::filesystem::path& file);

// Unpacks `file` into `folder`. Names that lead out of it, links and devices are refused. Throws FormatError
// naming file and cause.
void unpack_trace(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace wedjat::traces
