// Content-addressed store, writing side. Runs inside the recorded application: no globals, no threads of its
// own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "traces/format/blob_record.h"

namespace wedjat::traces {

class BlobWriter {
 public:
  // `blobs` is the trace's blobs/ folder (made if absent); `pack_name` must be unique among its writers.
  // Throws FormatError if the folder cannot be written.
  BlobWriter(std::filesystem::path blobs, std::string pack_name);
  ~BlobWriter();
  BlobWriter(const BlobWriter&) = delete;
  BlobWriter& operator=(const BlobWriter&) = delete;

  // Stores the contents unless they are known already. Thread safe. Throws FormatError when the disk refuses.
  Hash put(std::span<const std::byte> raw);

 private:
  void append_to_pack(const BlobHeader& header, std::span<const std::byte> stored);
  void write_file(const Hash& hash, const BlobHeader& header, std::span<const std::byte> stored);
  bool claim(const Hash& hash);
  void forget(const Hash& hash);

  std::filesystem::path blobs_;
  std::filesystem::path pack_path_;
  std::mutex mutex_;
  std::unordered_set<Hash> known_;
  int pack_ = -1;
};

}  // namespace wedjat::traces
