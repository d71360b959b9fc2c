#include "tests/emulator/triton/launch_file.h"

#include <zstd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace wedjat::triton {
namespace {

std::string unpacked(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(in), {}};
  std::string raw;
  std::string part(1 << 20, '\0');
  ZSTD_DCtx* const context = ZSTD_createDCtx();
  ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 27);
  ZSTD_inBuffer from{packed.data(), packed.size(), 0};
  std::size_t left = 1;
  while (from.pos < from.size || left != 0) {
    ZSTD_outBuffer to{part.data(), part.size(), 0};
    left = ZSTD_decompressStream(context, &to, &from);
    if (ZSTD_isError(left) || (to.pos == 0 && from.pos == from.size)) break;
    raw.append(part, 0, to.pos);
  }
  ZSTD_freeDCtx(context);
  if (left != 0) throw std::runtime_error(file.string() + ": no whole zstd frame");
  return raw;
}

class Reader {
 public:
  explicit Reader(std::string raw) : raw_(std::move(raw)) {}
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string blob() {
    const auto size = number<std::uint64_t>();
    const char* const data = take(size);
    return {data, size};
  }
  const char* take(std::uint64_t bytes) {
    if (bytes > raw_.size() - at_) throw std::runtime_error("the file of launches ends early");
    at_ += bytes;
    return raw_.data() + at_ - bytes;
  }

 private:
  std::string raw_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Launch> read_launches(const std::filesystem::path& file) {
  constexpr std::string_view magic = "wedjat launches 1\n";
  Reader in(unpacked(file));
  if (std::string_view(in.take(magic.size()), magic.size()) != magic)
    throw std::runtime_error(file.string() + ": no file of launches");
  std::vector<Launch> launches(in.number<std::uint32_t>());
  for (Launch& launch : launches) {
    launch.name = in.blob();
    launch.ptx = in.blob();
    launch.entry = in.blob();
    for (std::uint32_t* field :
         {&launch.grid[0], &launch.grid[1], &launch.grid[2], &launch.block, &launch.cluster, &launch.shared})
      *field = in.number<std::uint32_t>();
    launch.parameters = in.blob();
    launch.buffers.resize(in.number<std::uint32_t>());
    for (Buffer& buffer : launch.buffers) {
      buffer.address = in.number<std::uint64_t>();
      buffer.before = in.blob();
      buffer.after = in.blob();
      if (buffer.after.empty()) buffer.after = buffer.before;
    }
  }
  return launches;
}

}  // namespace wedjat::triton
