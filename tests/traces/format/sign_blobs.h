// Packs of blobs that were damaged: what is said of each blob holds again, so that readers look further.
#pragma once
#include <cstddef>
#include <cstring>
#include <string>

#include "traces/format/blob_record.h"

namespace wedjat::traces {

/// Every blob header that still looks like one says again what it holds.
inline void sign_blobs(std::string& bytes) {
  for (std::size_t at = bytes.find("WEDJBLOB"); at != bytes.npos && bytes.size() - at >= sizeof(BlobHeader);
       at = bytes.find("WEDJBLOB", at + 1)) {
    BlobHeader header;
    std::memcpy(&header, &bytes[at], sizeof header);
    header = make_blob_header({header.hash_high, header.hash_low}, static_cast<BlobEncoding>(header.encoding),
                              header.raw_size, header.stored_size);
    std::memcpy(&bytes[at], &header, sizeof header);
  }
}

}  // namespace wedjat::traces
