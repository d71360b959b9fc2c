#include "emulator/fidelity/packed.h"

#include <fmt/format.h>
#include <zstd.h>

#include <fstream>
#include <iterator>
#include <memory>

namespace wedjat::fidelity {
namespace {

// The largest truth holds 100 MiB; a damaged size field must not ask for the whole memory.
constexpr unsigned long long kMaximumBytes = 1ull << 30;

[[noreturn]] void fail(std::string_view name, std::string_view what) {
  throw InputError(fmt::format("{}: {}", name, what));
}

}  // namespace

std::string unpack(std::string_view packed, std::string_view name) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
    fail(name, "is no zstd frame of known size");
  if (size > kMaximumBytes) fail(name, fmt::format("claims to hold {} bytes", size));
  std::string content(size, '\0');
  const std::size_t got = ZSTD_decompress(content.data(), content.size(), packed.data(), packed.size());
  if (ZSTD_isError(got)) fail(name, fmt::format("damaged: {}", ZSTD_getErrorName(got)));
  if (got != size) fail(name, "damaged: shorter than it claims");
  return content;
}

std::string read_packed(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(file.string(), "cannot be read");
  return unpack(std::string{std::istreambuf_iterator<char>(in), {}}, file.string());
}

void write_packed(std::string_view content, const std::filesystem::path& file) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 19);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), content.data(), content.size());
  if (ZSTD_isError(size)) fail(file.string(), ZSTD_getErrorName(size));
  std::ofstream out(file, std::ios::binary);
  if (!out.write(packed.data(), static_cast<std::streamsize>(size)).flush())
    fail(file.string(), "cannot be written");
}

}  // namespace wedjat::fidelity
