#include "traces/format/compress.h"

#include <zstd.h>

#include <algorithm>

namespace wedjat::traces {
namespace {
constexpr std::size_t kProbe = 64 << 10;
constexpr std::size_t kSmallest = 128;  // below this the frame's own overhead eats the gain

bool shrinks(std::size_t raw, std::size_t packed) { return packed < raw - raw / 10; }

std::vector<std::byte> pack(std::span<const std::byte> raw) {
  std::vector<std::byte> packed(ZSTD_compressBound(raw.size()));
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 1);
  packed.resize(ZSTD_isError(size) ? 0 : size);
  return packed;
}
}  // namespace

std::vector<std::byte> compress_if_worth(std::span<const std::byte> raw) {
  if (raw.size() < kSmallest) return {};
  const std::span<const std::byte> probe = raw.first(std::min(raw.size(), kProbe));
  std::vector<std::byte> packed = pack(probe);
  if (packed.empty() || !shrinks(probe.size(), packed.size())) return {};
  if (probe.size() == raw.size()) return packed;
  packed = pack(raw);
  if (!shrinks(raw.size(), packed.size())) packed.clear();
  return packed;
}

const char* decompress(std::span<const std::byte> frame, std::span<std::byte> raw) {
  const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), frame.data(), frame.size());
  if (ZSTD_isError(size)) return ZSTD_getErrorName(size);
  return size == raw.size() ? nullptr : "unpacks to fewer bytes than its header says";
}

}  // namespace wedjat::traces
