// zstd level 1, only where it pays.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace wedjat::traces {

// Keeps its memory from call to call: one a thread.
class Compressor {
 public:
  // The zstd frame of `raw`, valid until the next call; or nothing if less than one part in `worth` would be
  // saved: of the first 64 KiB, which are asked first, or of all.
  std::span<const std::byte> pack(std::span<const std::byte> raw, std::size_t worth = kWorth);

  static constexpr std::size_t kWorth = 10;
  static constexpr std::size_t kWorthInHaste = 2;  // while someone waits for memory

 private:
  std::span<const std::byte> compress(std::span<const std::byte> raw);

  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::vector<std::byte> packed_;
};

// Unpacks a frame that must hold exactly raw_size bytes. Returns why it could not, or null.
const char* decompress(std::span<const std::byte> frame, std::span<std::byte> raw);

// The same of a frame that comes in pieces and leaves in parts.
class Decompressor {
 public:
  Decompressor();
  // Fills `part` as far as `frame` goes, of which what was used is taken away; `filled`: how many bytes.
  // Returns why it could not, or null.
  const char* unpack(std::span<const std::byte>& frame, std::span<std::byte> part, std::size_t& filled);
  bool ended() const { return ended_; }  // the frame has no more bytes

 private:
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
  bool ended_ = false;
};

}  // namespace wedjat::traces
