// Content-addressed store, reading side: finds, unpacks and re-hashes. Nothing wrong is ever returned.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/format/blob_record.h"

namespace wedjat::traces {

class BlobReader {
 public:
  // Reads the headers of all packs below the trace's blobs/ folder. An absent folder is an empty store;
  // a damaged pack is no error until a blob that may lie in it is asked for.
  explicit BlobReader(std::filesystem::path blobs);

  // The contents. Throws FormatError naming file, offset and cause if the blob is missing, cut, or its bytes
  // do not hash to `hash`.
  std::vector<std::byte> read(const Hash& hash) const;
  // The same of contents that must have `size` bytes: what promises others is not unpacked.
  std::vector<std::byte> read(const Hash& hash, std::uint64_t size) const;

  bool contains(const Hash& hash) const;
  std::vector<Hash> list() const;

  // What is wrong with the packs themselves: file, offset, cause. An unfinished last record is no damage
  // of a killed recording, but is told here too.
  const std::vector<std::string>& damage() const { return damage_; }

 private:
  struct Place {
    std::filesystem::path file;
    std::uint64_t offset = 0;
  };
  std::vector<std::byte> read(const Hash& hash, const std::uint64_t* size) const;
  void scan_pack(const std::filesystem::path& pack);
  void scan_files(const std::filesystem::path& files);

  std::filesystem::path blobs_;
  std::unordered_map<Hash, Place> places_;
  std::vector<std::string> damage_;
};

}  // namespace wedjat::traces
