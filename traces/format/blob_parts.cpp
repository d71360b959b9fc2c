// Contents in parts: what they take does not grow with them.
#include <algorithm>

#include "traces/format/blob_file.h"
#include "traces/format/compress.h"

namespace wedjat::traces {
namespace {

constexpr std::size_t block_bytes = 128 << 10;  // of a frame, read at a time
constexpr std::size_t whole_bytes = 1 << 20;    // up to here parts would take longer than the contents

}  // namespace

void BlobReader::read_parts(const Hash& hash, const Take& take) const {
  if (const Kept::Raw raw = kept_->find(hash)) return take(0, *raw);
  const Place& place = find(hash);
  const BlobHeader header = checked_header(hash, place);
  if (!header.is(BlobEncoding::pieces)) {
    if (header.raw_size > whole_bytes) return unpack_parts(hash, place, header, take);
    const auto raw = std::make_shared<std::vector<std::byte>>(header.raw_size);
    unpack(hash, place, header, *raw);
    if (raw->empty()) return;
    kept_->keep(hash, raw);
    return take(0, *raw);
  }
  const Pieces pieces = pieces_of(hash, place, header);
  const std::size_t at_once = std::max<std::size_t>(part_bytes / pieces.size, 1);
  std::vector<std::byte> part;
  for (std::size_t first = 0; first < pieces.keys.size(); first += at_once) {
    const std::uint64_t offset = first * pieces.size;
    part.resize(std::min<std::uint64_t>(at_once * pieces.size, header.raw_size - offset));
    unpack(pieces, first, part);
    take(offset, part);
  }
}

// Of a blob that is one frame, or as it is; `take` may be empty: it is only looked at.
void BlobReader::unpack_parts(const Hash& hash, const Place& place, const BlobHeader& header,
                              const Take& take) const {
  const auto refuse = [&](const std::string& cause) {
    return blob_refusal(place.file->path(), place.offset, hash, cause);
  };
  const bool packed = header.is(BlobEncoding::zstd);
  std::vector<std::byte> block(packed ? block_bytes : 0);
  std::vector<std::byte> part(std::min<std::uint64_t>(part_bytes, header.raw_size + 1));
  std::span<const std::byte> frame;
  std::uint64_t read = 0, done = 0;
  Decompressor decompressor;
  HashStream hashed;
  const auto load = [&](std::span<std::byte> to) {
    if (place.file->read(place.offset + sizeof header + read, to) != to.size())
      throw refuse("is cut: the header promises " + std::to_string(header.stored_size) + " bytes");
    read += to.size();
  };
  const auto use = [&](std::span<const std::byte> bytes) {
    if (bytes.size() > header.raw_size - done)
      throw refuse("cannot be unpacked: unpacks to more bytes than its header says");
    hashed.add(bytes);
    if (take && !bytes.empty()) take(done, bytes);
    done += bytes.size();
  };
  const auto next = [&](std::span<std::byte> room) {
    const auto bytes = room.first(std::min<std::uint64_t>(room.size(), header.stored_size - read));
    load(bytes);
    return bytes;
  };
  while (!packed && read < header.stored_size) use(next(part));
  while (packed && !decompressor.ended()) {
    if (frame.empty()) frame = next(block);
    const bool last = frame.empty();
    std::size_t filled = 0;
    if (const char* fault = decompressor.unpack(frame, part, filled))
      throw refuse(std::string("cannot be unpacked: ") + fault);
    if (last && filled == 0) throw refuse("cannot be unpacked: its frame is cut");
    use(std::span(part).first(filled));
  }
  if (!frame.empty() || read != header.stored_size)
    throw refuse("cannot be unpacked: more follows the end of its frame");
  if (done != header.raw_size)
    throw refuse("cannot be unpacked: unpacks to fewer bytes than its header says");
  if (hashed.value() != hash) throw refuse("does not hash to its key: its bytes were changed");
}

}  // namespace wedjat::traces
