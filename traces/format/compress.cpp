#include "traces/format/compress.h"

#include <zstd.h>

#include <algorithm>
#include <new>

namespace wedjat::traces {
namespace {
constexpr std::size_t kProbe = 64 << 10;
constexpr std::size_t kSmallest = 128;  // below this the frame's own overhead eats the gain
constexpr int kLevel = 1;

struct FreeUnpacking {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// Its tables take longer to clear than a small frame takes to unpack, so a thread keeps them.
ZSTD_DCtx* kept_context() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeUnpacking> context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  return context.get();
}
}  // namespace

void Compressor::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

std::span<const std::byte> Compressor::compress(std::span<const std::byte> raw) {
  if (!context_) context_.reset(ZSTD_createCCtx());
  if (!context_) throw std::bad_alloc();
  const std::size_t bound = ZSTD_compressBound(raw.size());
  if (packed_.size() < bound) packed_.resize(bound);
  const std::size_t size =
      ZSTD_compressCCtx(context_.get(), packed_.data(), packed_.size(), raw.data(), raw.size(), kLevel);
  if (ZSTD_isError(size)) return {};
  return std::span(packed_).first(size);
}

std::span<const std::byte> Compressor::pack(std::span<const std::byte> raw, std::size_t worth) {
  if (raw.size() < kSmallest) return {};
  const auto shrinks = [worth](std::size_t size, std::size_t packed) { return packed < size - size / worth; };
  const std::span<const std::byte> probe = raw.first(std::min(raw.size(), kProbe));
  std::span<const std::byte> packed = compress(probe);
  if (packed.empty() || !shrinks(probe.size(), packed.size())) return {};
  if (probe.size() == raw.size()) return packed;
  packed = compress(raw);
  if (packed.empty() || !shrinks(raw.size(), packed.size())) return {};
  return packed;
}

const char* decompress(std::span<const std::byte> frame, std::span<std::byte> raw) {
  const std::size_t size =
      ZSTD_decompressDCtx(kept_context(), raw.data(), raw.size(), frame.data(), frame.size());
  if (ZSTD_isError(size)) return ZSTD_getErrorName(size);
  return size == raw.size() ? nullptr : "unpacks to fewer bytes than its header says";
}

void Decompressor::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Decompressor::Decompressor() : context_(ZSTD_createDCtx()) {
  if (!context_) throw std::bad_alloc();
}

const char* Decompressor::unpack(std::span<const std::byte>& frame, std::span<std::byte> part,
                                 std::size_t& filled) {
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  ZSTD_outBuffer out{part.data(), part.size(), 0};
  while (!ended_ && out.pos < out.size) {
    const std::size_t before = out.pos;
    const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(left)) return ZSTD_getErrorName(left);
    ended_ = left == 0;
    if (in.pos == in.size && out.pos == before) break;  // it waits for more of the frame
  }
  frame = frame.subspan(in.pos);
  filled = out.pos;
  return nullptr;
}

}  // namespace wedjat::traces
