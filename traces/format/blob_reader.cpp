#include "traces/format/blob_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <span>
#include <utility>

#include "traces/format/compress.h"
#include "traces/format/error.h"

namespace wedjat::traces {
namespace fs = std::filesystem;

// Opened at the first read and kept; a blob that is a file of its own is opened for each.
class BlobReader::File {
 public:
  File(fs::path path, bool keep) : path_(std::move(path)), kept_(keep ? open() : -1), keep_(keep) {}
  ~File() {
    if (kept_ >= 0) ::close(kept_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const fs::path& path() const { return path_; }
  bool opened() const { return kept_ >= 0; }

  // How many bytes there are, up to to.size().
  std::size_t read(std::uint64_t offset, std::span<std::byte> to) const {
    const int file = keep_ ? kept_ : open();
    std::size_t done = 0;
    while (done < to.size()) {
      const ssize_t got =
          ::pread(file, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    if (!keep_ && file >= 0) ::close(file);
    return done;
  }
  std::optional<BlobHeader> header(std::uint64_t offset) const {
    BlobHeader header;
    if (read(offset, std::as_writable_bytes(std::span(&header, 1))) != sizeof header) return std::nullopt;
    return header;
  }

 private:
  int open() const { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC); }

  const fs::path path_;
  const int kept_;
  const bool keep_;
};

namespace {

std::string describe(const fs::path& file, std::uint64_t offset, const std::string& cause) {
  return FormatError(file.string(), offset, cause).what();
}

FormatError refusal(const fs::path& file, std::uint64_t offset, const Hash& hash, const std::string& cause) {
  return FormatError(file.string(), offset, "blob " + to_hex(hash) + " " + cause);
}

bool is(const BlobHeader& header, BlobEncoding encoding) {
  return header.encoding == static_cast<std::uint32_t>(encoding);
}

}  // namespace

BlobReader::BlobReader(fs::path blobs)
    : blobs_(std::move(blobs)), workers_(std::make_shared<Workers>(usable_processors())) {
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
  const auto file = std::make_shared<const File>(pack, true);
  if (error || !file->opened()) {
    damage_.push_back(pack.string() + ": cannot be read");
    return;
  }
  bool lost = false;  // after a damaged header: looking for the next record
  for (std::uint64_t offset = 0; offset < end;) {
    const std::optional<BlobHeader> header = file->header(offset);
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
    places_.try_emplace({header->hash_high, header->hash_low}, Place{file, offset});
    offset += sizeof *header + padded(header->stored_size);
  }
}

void BlobReader::scan_files(const fs::path& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(files, error), end; entry != end; entry.increment(error)) {
    if (error) break;
    if (!entry->is_regular_file(error)) continue;
    const std::optional<Hash> hash = hash_from_hex(entry->path().filename().string());
    if (hash) places_.try_emplace(*hash, Place{std::make_shared<const File>(entry->path(), false), 0});
  }
}

const BlobReader::Place& BlobReader::find(const Hash& hash) const {
  const auto found = places_.find(hash);
  if (found != places_.end()) return found->second;
  std::string cause = "blob " + to_hex(hash) + " is missing";
  for (const std::string& damage : damage_) cause += "; " + damage;
  throw FormatError(blobs_.string(), cause);
}

BlobHeader BlobReader::header(const Hash& hash, const Place& place) const {
  const std::optional<BlobHeader> header = place.file->header(place.offset);
  if (!header) throw refusal(place.file->path(), place.offset, hash, "is cut inside its header");
  if (const char* fault = blob_header_fault(*header))
    throw refusal(place.file->path(), place.offset, hash, fault);
  return *header;
}

// `raw` has the size that the header promises.
void BlobReader::unpack(const Hash& hash, const Place& place, const BlobHeader& header,
                        std::span<std::byte> raw) const {
  const auto refuse = [&](const std::string& cause) {
    return refusal(place.file->path(), place.offset, hash, cause);
  };
  const auto load = [&](std::span<std::byte> to) {
    if (place.file->read(place.offset + sizeof header, to) != to.size())
      throw refuse("is cut: the header promises " + std::to_string(header.stored_size) + " bytes");
  };
  if (is(header, BlobEncoding::zstd)) {
    thread_local std::vector<std::byte> stored;
    stored.resize(header.stored_size);
    load(stored);
    const char* fault = decompress(stored, raw);
    if (stored.size() > kPiece) stored = {};
    if (fault) throw refuse(std::string("cannot be unpacked: ") + fault);
  } else {
    load(raw);
  }
  if (hash_bytes(raw) != hash) throw refuse("does not hash to its key: its bytes were changed");
}

std::vector<std::byte> BlobReader::read(const Hash& hash) const {
  std::vector<std::byte> raw;
  read(hash, raw);
  return raw;
}

void BlobReader::read(const Hash& hash, std::vector<std::byte>& raw) const {
  const Place& place = find(hash);
  const BlobHeader header = this->header(hash, place);
  const auto refuse = [&](const std::string& cause) {
    return refusal(place.file->path(), place.offset, hash, cause);
  };
  std::error_code error;
  const std::uint64_t end = fs::file_size(place.file->path(), error);
  if (error || end < place.offset + sizeof header || header.stored_size > end - place.offset - sizeof header)
    throw refuse("is cut: the header promises " + std::to_string(header.stored_size) + " bytes");
  if (is(header, BlobEncoding::pieces)) return read_pieces(hash, place, header, raw);
  if (is(header, BlobEncoding::stored) && header.raw_size != header.stored_size)
    throw refuse("has another size than its header says");
  // zstd's tightest block is 4 bytes for 128 KiB; a bigger promise would only exhaust memory.
  if (header.raw_size / 32'768 > header.stored_size) throw refuse("promises an impossible size");
  raw.resize(header.raw_size);
  unpack(hash, place, header, raw);
}

void BlobReader::read_pieces(const Hash& hash, const Place& place, const BlobHeader& header,
                             std::vector<std::byte>& raw) const {
  const auto refuse = [&](const std::string& cause) {
    return refusal(place.file->path(), place.offset, hash, cause);
  };
  const std::uint64_t size = header.piece_size;
  if (size == 0 || header.stored_size % sizeof(Hash) != 0 ||
      header.stored_size / sizeof(Hash) != header.raw_size / size + (header.raw_size % size != 0))
    throw refuse("has another number of pieces than its header says");
  std::vector<Hash> keys(header.stored_size / sizeof(Hash));
  if (place.file->read(place.offset + sizeof header, std::as_writable_bytes(std::span(keys))) !=
      header.stored_size)
    throw refuse("cannot be read");
  if (key_of_pieces(keys, header.raw_size) != hash)
    throw refuse("does not hash to its key: its bytes were changed");
  const auto size_of = [&](std::size_t i) { return std::min(size, header.raw_size - i * size); };
  std::vector<const Place*> places(keys.size());
  std::vector<BlobHeader> headers(keys.size());
  // All must be there and of the right size before room is made for them.
  for (std::size_t i = 0; i < keys.size(); ++i) {
    places[i] = &find(keys[i]);
    headers[i] = this->header(keys[i], *places[i]);
    if (is(headers[i], BlobEncoding::pieces) || headers[i].raw_size != size_of(i))
      throw refuse("has a piece of another size than its header says");
    if (headers[i].stored_size > headers[i].raw_size) throw refuse("has a piece that promises too much");
  }
  raw.resize(header.raw_size);
  workers_->each(keys.size(), [&](std::size_t i) {
    unpack(keys[i], *places[i], headers[i], std::span(raw).subspan(i * size, size_of(i)));
  });
}

std::uint64_t BlobReader::size(const Hash& hash) const { return header(hash, find(hash)).raw_size; }

bool BlobReader::contains(const Hash& hash) const { return places_.contains(hash); }

std::vector<Hash> BlobReader::list() const {
  std::vector<Hash> hashes;
  hashes.reserve(places_.size());
  for (const auto& [hash, place] : places_) hashes.push_back(hash);
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

}  // namespace wedjat::traces
