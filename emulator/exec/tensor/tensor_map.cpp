#include "emulator/exec/tensor/tensor_map.h"

#include <cstring>

namespace wedjat::exec {

namespace {

constexpr unsigned type_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2};

std::int32_t signed_field(std::uint32_t word, unsigned low, unsigned width) {
  return static_cast<std::int32_t>(word << (32 - low - width)) >> (32 - width);
}

}  // namespace

std::uint32_t TensorMap::rows() const {
  if (im2col) return pixels;
  std::uint32_t all = 1;
  for (unsigned k = 0; k + 1 < rank; ++k) all *= count(walked(k));
  return all;
}

std::uint64_t TensorMap::fill() const {
  const bool is_float = type >= TensorType::f16;
  return fill_nan && is_float ? 0x7ff77ff77ff77ff7u : 0;
}

const char* decode(const std::byte* encoded, TensorMap& map) {
  std::uint32_t word[32];
  static_assert(sizeof word == TensorMap::bytes);
  std::memcpy(word, encoded, sizeof word);
  const auto field = [&](int at, unsigned low, unsigned width) {
    return word[at] >> low & ((1u << width) - 1);
  };
  map = {};
  map.address = word[0] | std::uint64_t{word[1]} << 32;
  map.im2col = field(2, 0, 1) != 0;
  map.rank = field(2, 4, 3) + 1;
  const std::uint32_t type = field(2, 7, 4);
  const std::uint32_t interleave = field(2, 11, 2);
  if (map.rank > 5) return "its rank is greater than 5";
  if (type >= std::size(type_bytes)) return "its element type is unknown";
  if (interleave > 2) return "its interleave layout is unknown";
  map.type = static_cast<TensorType>(type);
  map.interleave = interleave == 0 ? 0 : 8u << interleave;
  map.swizzle = field(2, 13, 2) == 0 ? 0 : 16u << field(2, 13, 2);
  map.fill_nan = field(2, 15, 1) != 0;
  map.tf32 = field(2, 16, 1) != 0;
  map.stride[0] = type_bytes[type];
  if (map.interleave != 0 && map.rank < 3) return "an interleaved map has at least 3 dimensions";
  for (unsigned d = 0; d < 5; ++d) {
    map.size[d] = std::uint64_t{word[8 + d]} + 1;
    map.step[d] = field(13, 3 * d, 3) + 1;
    if (d > 0) map.stride[d] = (word[2 + d] | std::uint64_t{field(7, 4 * (d - 1), 4)} << 32) << 4;
  }
  map.box[0] = field(13, 24, 8) + 1;
  if (!map.im2col) {
    for (unsigned d = 1; d < 5; ++d) map.box[d] = field(14, 8 * (d - 1), 8) + 1;
    return nullptr;
  }
  if (map.rank < 3) return "an im2col map has at least 3 dimensions";
  const unsigned width = map.rank == 3 ? 16 : map.rank == 4 ? 8 : 5;
  for (unsigned d = 0; d < map.rank - 2; ++d) {
    map.lower[d] = signed_field(word[14], d * width, width);
    map.upper[d] = signed_field(word[14], 16 + d * width, width);
  }
  map.pixels = field(15, 0, 10) + 1;
  return nullptr;
}

}  // namespace wedjat::exec
