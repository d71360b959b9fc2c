// Content-addressed store, reading side: finds, unpacks and re-hashes. Nothing wrong is ever returned.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/format/blob_record.h"
#include "traces/format/workers.h"

namespace wedjat::traces {

class BlobReader {
 public:
  // Reads the headers of all packs below the trace's blobs/ folder. An absent folder is an empty store;
  // a damaged pack is no error until a blob that may lie in it is asked for.
  explicit BlobReader(std::filesystem::path blobs);

  // The contents, unpacked by all processors if they are many. Throws FormatError naming file, offset and
  // cause if the blob is missing, cut, or its bytes do not hash to `hash`.
  std::vector<std::byte> read(const Hash& hash) const;
  void read(const Hash& hash, std::vector<std::byte>& raw) const;  // into memory that is there already

  std::uint64_t size(const Hash& hash) const;  // what its header promises
  bool contains(const Hash& hash) const;
  std::vector<Hash> list() const;

  // What is wrong with the packs themselves: file, offset, cause. An unfinished last record is no damage
  // of a killed recording, but is reported here too.
  const std::vector<std::string>& damage() const { return damage_; }

 private:
  class File;
  struct Place {
    std::shared_ptr<const File> file;
    std::uint64_t offset = 0;
  };
  void scan_pack(const std::filesystem::path& pack);
  void scan_files(const std::filesystem::path& files);
  const Place& find(const Hash& hash) const;
  BlobHeader header(const Hash& hash, const Place& place) const;
  void unpack(const Hash& hash, const Place& place, const BlobHeader& header, std::span<std::byte> raw) const;
  void read_pieces(const Hash& hash, const Place& place, const BlobHeader& header,
                   std::vector<std::byte>& raw) const;

  std::filesystem::path blobs_;
  std::unordered_map<Hash, Place> places_;
  std::vector<std::string> damage_;
  std::shared_ptr<Workers> workers_;
};

}  // namespace wedjat::traces
