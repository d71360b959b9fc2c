#include "traces/format/blob_record.h"

#include <cstring>

namespace wedjat::traces {
namespace {
constexpr char kBlobMagic[8] = {'W', 'E', 'D', 'J', 'B', 'L', 'O', 'B'};
constexpr std::uint32_t kVersion = 1;

std::uint64_t header_check(const BlobHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(BlobHeader, check)));
}
}  // namespace

Hash key_of_pieces(std::span<const Hash> pieces, std::uint64_t raw_size) {
  return hash_bytes(std::as_bytes(pieces), raw_size);
}

BlobHeader make_blob_header(const Hash& hash, BlobEncoding encoding, std::uint64_t raw_size,
                            std::uint64_t stored_size) {
  BlobHeader header{};
  std::memcpy(header.magic, kBlobMagic, sizeof kBlobMagic);
  header.version = kVersion;
  header.encoding = static_cast<std::uint32_t>(encoding);
  header.raw_size = raw_size;
  header.stored_size = stored_size;
  header.hash_high = hash.high;
  header.hash_low = hash.low;
  header.piece_size = encoding == BlobEncoding::pieces ? kPiece : 0;
  header.check = header_check(header);
  return header;
}

const char* blob_header_fault(const BlobHeader& header) {
  if (std::memcmp(header.magic, kBlobMagic, sizeof kBlobMagic) != 0)
    return "no blob record begins here (magic differs)";
  if (header.check != header_check(header)) return "blob header is damaged (its checksum differs)";
  if (header.version != kVersion) return "blob record of a newer version";
  if (header.encoding > static_cast<std::uint32_t>(BlobEncoding::pieces)) return "unknown blob encoding";
  return nullptr;
}

}  // namespace wedjat::traces
