// Content-addressed store, writing side. Runs inside the recorded application: no globals.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "traces/format/staging.h"
#include "traces/format/workers.h"

namespace wedjat::traces {

class BlobWriter {
 public:
  // `blobs` is the trace's blobs/ folder (made if absent); `pack_name` must be unique among its writers. With
  // `staging` (which must outlive it) blobs are handed over there; else, or when nobody takes them any more,
  // they are compressed and written by the caller. Throws FormatError if the folder cannot be written.
  BlobWriter(const std::filesystem::path& blobs, const std::string& pack_name, Staging* staging = nullptr);
  ~BlobWriter();
  BlobWriter(const BlobWriter&) = delete;
  BlobWriter& operator=(const BlobWriter&) = delete;

  // Stores the contents unless they are known already. Thread safe. Throws FormatError when the disk refuses.
  Hash put(std::span<const std::byte> raw);

  // The same in parts: first all pieces of kPiece bytes (the last may have fewer), then what they are pieces
  // of.
  Hash put_piece(std::span<const std::byte> raw);
  Hash put_pieces(std::span<const Hash> pieces, std::uint64_t raw_size);

  // Has the memory that blobs go through mapped, so that storing them takes no page faults.
  void populate();

  Workers& workers() { return workers_; }

  // Writes what is staged if nobody else will.
  void take_over();

 private:
  void keep(const Hash& key, BlobEncoding encoding, std::uint64_t raw_size, std::span<const std::byte> bytes);
  void write(const BlobHeader& header, std::span<const std::byte> bytes);

  Pack pack_;
  Staging* const staging_;
  KnownKeys* known_;
  Workers workers_;
};

}  // namespace wedjat::traces
