// A pack being written: blob records, one behind the other. Thread safe.
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <span>

#include "traces/format/blob_record.h"

namespace wedjat::traces {

class Pack {
 public:
  // Makes the folders. Throws FormatError if they cannot be made; the file comes with the first record.
  Pack(const std::filesystem::path& blobs, const std::string& name);
  ~Pack();
  Pack(const Pack&) = delete;
  Pack& operator=(const Pack&) = delete;

  // Throws FormatError when the disk refuses.
  void append(const BlobHeader& header, std::span<const std::byte> stored);

 private:
  const std::filesystem::path path_;
  std::mutex mutex_;
  int file_ = -1;
};

}  // namespace wedjat::traces
