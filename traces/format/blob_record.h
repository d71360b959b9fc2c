// The header in front of every blob (FORMAT.md, "Blob records").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "traces/format/hash.h"

namespace wedjat::traces {

enum class BlobEncoding : std::uint32_t { stored = 0, zstd = 1, pieces = 2 };

struct BlobHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t encoding;
  std::uint64_t raw_size;
  std::uint64_t stored_size;
  std::uint64_t hash_high;
  std::uint64_t hash_low;
  std::uint64_t piece_size;  // of all pieces but the last, with `pieces`; else 0
  std::uint64_t check;

  bool is(BlobEncoding which) const { return encoding == static_cast<std::uint32_t>(which); }
};
static_assert(sizeof(BlobHeader) == 64);

// What is longer is stored as pieces of this size, each a blob, and a list of their keys.
inline constexpr std::uint64_t kPiece = 256 << 10;

// The key of contents that are stored as pieces.
Hash key_of_pieces(std::span<const Hash> pieces, std::uint64_t raw_size);

BlobHeader make_blob_header(const Hash& hash, BlobEncoding encoding, std::uint64_t raw_size,
                            std::uint64_t stored_size);

// Why the header cannot be trusted, or null.
const char* blob_header_fault(const BlobHeader& header);

constexpr std::uint64_t padded(std::uint64_t size) { return (size + 7) & ~std::uint64_t{7}; }

}  // namespace wedjat::traces
