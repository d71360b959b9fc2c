// Content-addressed store, reading side: finds, unpacks and re-hashes. Nothing wrong is ever returned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
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

  // The contents in order and in parts of at most part_bytes, whatever their size. A part is as it was stored
  // if they are stored in pieces; else only the end of the reading tells, by the same errors.
  static constexpr std::size_t part_bytes = std::size_t{8} << 20;
  using Take = std::function<void(std::uint64_t offset, std::span<const std::byte> part)>;
  void read_parts(const Hash& hash, const Take& take) const;

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
  struct Pieces {
    std::uint64_t size, raw_size;
    std::vector<Hash> keys;
    std::vector<const Place*> places;
    std::vector<BlobHeader> headers;
    std::uint64_t size_of(std::size_t i) const { return std::min(size, raw_size - i * size); }
  };
  BlobHeader checked_header(const Hash& hash, const Place& place) const;
  Pieces pieces_of(const Hash& hash, const Place& place, const BlobHeader& header) const;
  // `raw` has the size that the header promises; as many pieces as fill it.
  void unpack(const Hash& hash, const Place& place, const BlobHeader& header, std::span<std::byte> raw) const;
  void unpack(const Pieces& pieces, std::size_t first, std::span<std::byte> raw) const;
  void unpack_parts(const Hash& hash, const Place& place, const BlobHeader& header, const Take& take) const;

  std::filesystem::path blobs_;
  std::unordered_map<Hash, Place> places_;
  std::vector<std::string> damage_;
  std::shared_ptr<Workers> workers_;
  class Kept;
  std::shared_ptr<Kept> kept_;
};

}  // namespace wedjat::traces
