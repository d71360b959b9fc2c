#include "traces/format/blob_reader.h"

#include <algorithm>

#include "traces/format/blob_file.h"
#include "traces/format/compress.h"

namespace wedjat::traces {
namespace fs = std::filesystem;

namespace {

std::string describe(const fs::path& file, std::uint64_t offset, const std::string& cause) {
  return FormatError(file.string(), offset, cause).what();
}

}  // namespace

BlobReader::BlobReader(fs::path blobs)
    : blobs_(std::move(blobs)),
      workers_(std::make_shared<Workers>(usable_processors())),
      kept_(std::make_shared<Kept>()) {
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
  if (!header) throw blob_refusal(place.file->path(), place.offset, hash, "is cut inside its header");
  if (const char* fault = blob_header_fault(*header))
    throw blob_refusal(place.file->path(), place.offset, hash, fault);
  return *header;
}

// `raw` has the size that the header promises.
void BlobReader::unpack(const Hash& hash, const Place& place, const BlobHeader& header,
                        std::span<std::byte> raw) const {
  const auto refuse = [&](const std::string& cause) {
    return blob_refusal(place.file->path(), place.offset, hash, cause);
  };
  const auto load = [&](std::span<std::byte> to) {
    if (place.file->read(place.offset + sizeof header, to) != to.size())
      throw refuse("is cut: the header promises " + std::to_string(header.stored_size) + " bytes");
  };
  if (header.is(BlobEncoding::zstd)) {
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

// Of a blob that can be as its header says, judged by that and by the file's size.
BlobHeader BlobReader::checked_header(const Hash& hash, const Place& place) const {
  const BlobHeader header = this->header(hash, place);
  const auto refuse = [&](const std::string& cause) {
    return blob_refusal(place.file->path(), place.offset, hash, cause);
  };
  std::error_code error;
  const std::uint64_t end = fs::file_size(place.file->path(), error);
  if (error || end < place.offset + sizeof header || header.stored_size > end - place.offset - sizeof header)
    throw refuse("is cut: the header promises " + std::to_string(header.stored_size) + " bytes");
  if (header.is(BlobEncoding::stored) && header.raw_size != header.stored_size)
    throw refuse("has another size than its header says");
  // zstd's tightest block is 4 bytes for 128 KiB; a bigger promise would only exhaust memory.
  if (header.is(BlobEncoding::zstd) && header.raw_size / 32'768 > header.stored_size)
    throw refuse("promises an impossible size");
  return header;
}

std::vector<std::byte> BlobReader::read(const Hash& hash) const {
  std::vector<std::byte> raw;
  read(hash, raw);
  return raw;
}

void BlobReader::read(const Hash& hash, std::vector<std::byte>& raw) const {
  const Place& place = find(hash);
  const BlobHeader header = checked_header(hash, place);
  if (header.is(BlobEncoding::pieces)) {
    const Pieces pieces = pieces_of(hash, place, header);
    raw.resize(header.raw_size);
    return unpack(pieces, 0, raw);
  }
  // Room is made for no more than is there.
  if (header.is(BlobEncoding::zstd) && header.raw_size > part_bytes) unpack_parts(hash, place, header, {});
  raw.resize(header.raw_size);
  unpack(hash, place, header, raw);
}

BlobReader::Pieces BlobReader::pieces_of(const Hash& hash, const Place& place,
                                         const BlobHeader& header) const {
  const auto refuse = [&](const std::string& cause) {
    return blob_refusal(place.file->path(), place.offset, hash, cause);
  };
  const std::uint64_t size = header.piece_size;
  if (size > part_bytes) throw refuse("has pieces of more than " + std::to_string(part_bytes) + " bytes");
  if (size == 0 || header.stored_size % sizeof(Hash) != 0 ||
      header.stored_size / sizeof(Hash) != header.raw_size / size + (header.raw_size % size != 0))
    throw refuse("has another number of pieces than its header says");
  Pieces pieces{size, header.raw_size, std::vector<Hash>(header.stored_size / sizeof(Hash)), {}, {}};
  if (place.file->read(place.offset + sizeof header, std::as_writable_bytes(std::span(pieces.keys))) !=
      header.stored_size)
    throw refuse("cannot be read");
  if (key_of_pieces(pieces.keys, header.raw_size) != hash)
    throw refuse("does not hash to its key: its bytes were changed");
  // All must be there and of the right size before room is made for them.
  for (std::size_t i = 0; i < pieces.keys.size(); ++i) {
    pieces.places.push_back(&find(pieces.keys[i]));
    const BlobHeader& piece =
        pieces.headers.emplace_back(checked_header(pieces.keys[i], *pieces.places.back()));
    if (piece.is(BlobEncoding::pieces) || piece.raw_size != pieces.size_of(i))
      throw refuse("has a piece of another size than its header says");
    if (piece.stored_size > piece.raw_size) throw refuse("has a piece that promises too much");
  }
  return pieces;
}

void BlobReader::unpack(const Pieces& pieces, std::size_t first, std::span<std::byte> raw) const {
  workers_->each((raw.size() + pieces.size - 1) / pieces.size, [&](std::size_t i) {
    unpack(pieces.keys[first + i], *pieces.places[first + i], pieces.headers[first + i],
           raw.subspan(i * pieces.size, pieces.size_of(first + i)));
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
