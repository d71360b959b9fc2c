#include "traces/format/blob_reader.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <span>
#include <utility>

#include "traces/format/compress.h"
#include "traces/format/error.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

std::optional<BlobHeader> read_header(std::ifstream& file, std::uint64_t offset) {
  BlobHeader header;
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  return header;
}

std::string describe(const fs::path& file, std::uint64_t offset, const std::string& cause) {
  return FormatError(file.string(), offset, cause).what();
}

}  // namespace

BlobReader::BlobReader(fs::path blobs) : blobs_(std::move(blobs)) {
  std::error_code error;
  std::vector<fs::path> packs;
  for (const auto& entry : fs::directory_iterator(blobs_ / "packs", error)) {
    if (entry.path().extension() == ".pack" && entry.is_regular_file()) packs.push_back(entry.path());
  }
  std::sort(packs.begin(), packs.end());
  for (const fs::path& pack : packs) scan_pack(pack);
  scan_files(blobs_ / "files");
}

void BlobReader::scan_pack(const fs::path& pack) {
  std::error_code error;
  const std::uint64_t end = fs::file_size(pack, error);
  std::ifstream file(pack, std::ios::binary);
  if (error || !file) {
    damage_.push_back(pack.string() + ": cannot be read");
    return;
  }
  bool lost = false;  // after a damaged header: looking for the next record
  for (std::uint64_t offset = 0; offset < end;) {
    const std::optional<BlobHeader> header = read_header(file, offset);
    if (!header) {
      if (!lost) damage_.push_back(describe(pack, offset, "the pack ends inside a blob header"));
      return;
    }
    if (const char* fault = blob_header_fault(*header)) {
      if (!lost) damage_.push_back(describe(pack, offset, fault));
      lost = true;
      offset += 8;
      continue;
    }
    lost = false;
    const std::uint64_t room = end - offset - sizeof *header;
    if (header->stored_size > room) {
      damage_.push_back(describe(
          pack, offset, "the pack ends inside blob " + to_hex({header->hash_high, header->hash_low})));
      return;
    }
    places_.try_emplace({header->hash_high, header->hash_low}, Place{pack, offset});
    offset += sizeof *header + padded(header->stored_size);
  }
}

void BlobReader::scan_files(const fs::path& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(files, error), end; entry != end; entry.increment(error)) {
    if (error) break;
    if (!entry->is_regular_file(error)) continue;
    const std::optional<Hash> hash = hash_from_hex(entry->path().filename().string());
    if (hash) places_.try_emplace(*hash, Place{entry->path(), 0});
  }
}

std::vector<std::byte> BlobReader::read(const Hash& hash) const { return read(hash, nullptr); }

std::vector<std::byte> BlobReader::read(const Hash& hash, std::uint64_t size) const {
  return read(hash, &size);
}

std::vector<std::byte> BlobReader::read(const Hash& hash, const std::uint64_t* size) const {
  const auto found = places_.find(hash);
  if (found == places_.end()) {
    std::string cause = "blob " + to_hex(hash) + " is missing";
    for (const std::string& damage : damage_) cause += "; " + damage;
    throw FormatError(blobs_.string(), cause);
  }
  const std::string name = found->second.file.string();
  const std::uint64_t offset = found->second.offset;
  const auto refuse = [&](const std::string& cause) {
    return FormatError(name, offset, "blob " + to_hex(hash) + " " + cause);
  };

  std::ifstream file(found->second.file, std::ios::binary);
  if (!file) throw refuse("cannot be opened");
  const std::optional<BlobHeader> header = read_header(file, offset);
  if (!header) throw refuse("is cut inside its header");
  if (const char* fault = blob_header_fault(*header)) throw refuse(fault);
  if (size && header->raw_size != *size)
    throw refuse("has " + std::to_string(header->raw_size) + " bytes by its header, its event says " +
                 std::to_string(*size));
  std::error_code error;
  const std::uint64_t end = fs::file_size(found->second.file, error);
  if (error || end < offset + sizeof *header || header->stored_size > end - offset - sizeof *header) {
    throw refuse("is cut: the header promises " + std::to_string(header->stored_size) + " bytes");
  }

  std::vector<std::byte> stored(header->stored_size);
  if (!file.read(reinterpret_cast<char*>(stored.data()), static_cast<std::streamsize>(stored.size()))) {
    throw refuse("cannot be read");
  }
  std::vector<std::byte> raw;
  if (header->encoding == static_cast<std::uint32_t>(BlobEncoding::zstd)) {
    // zstd's tightest block is 4 bytes for 128 KiB; a bigger promise would only exhaust memory.
    if (header->raw_size / 32'768 > stored.size()) throw refuse("promises an impossible size");
    raw.resize(header->raw_size);
    if (const char* fault = decompress(stored, raw))
      throw refuse(std::string("cannot be unpacked: ") + fault);
  } else {
    raw = std::move(stored);
  }
  if (raw.size() != header->raw_size) throw refuse("has another size than its header says");
  if (hash_bytes(raw) != hash) throw refuse("does not hash to its key: its bytes were changed");
  return raw;
}

bool BlobReader::contains(const Hash& hash) const { return places_.contains(hash); }

std::vector<Hash> BlobReader::list() const {
  std::vector<Hash> hashes;
  hashes.reserve(places_.size());
  for (const auto& [hash, place] : places_) hashes.push_back(hash);
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

}  // namespace wedjat::traces
