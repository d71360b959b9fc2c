// The header in front of every blob (FORMAT.md, "Blob records").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "traces/format/hash.h"

namespace wedjat::traces {

enum class BlobEncoding : std::uint32_t { stored = 0, zstd = 1 };

struct BlobHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t encoding;
  std::uint64_t raw_size;
  std::uint64_t stored_size;
  std::uint64_t hash_high;
  std::uint64_t hash_low;
  std::uint64_t zero;
  std::uint64_t check;
};
static_assert(sizeof(BlobHeader) == 64);

inline constexpr std::uint64_t kLargeBlob = 1 << 20;  // from this raw size on a blob is a file of its own

BlobHeader make_blob_header(const Hash& hash, BlobEncoding encoding, std::uint64_t raw_size,
                            std::uint64_t stored_size);

// Why the header cannot be trusted, or null.
const char* blob_header_fault(const BlobHeader& header);

constexpr std::uint64_t padded(std::uint64_t size) { return (size + 7) & ~std::uint64_t{7}; }

}  // namespace wedjat::traces
