// Tensor maps: what tensor copies are told of a tensor and of the boxes of it that they move. The layout of
// the 128 bytes stands in emulator/exec/tensor/tensor_map.h, which reads them.
#include <array>
#include <cstring>

#include "interposer/live/state/failure.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

struct Element {
  std::uint32_t number;  // in the map
  std::uint32_t bytes;
  bool tf32 = false;
};

Element element_of(CUtensorMapDataType type) {
  constexpr std::array<Element, 13> elements = {{{0, 1},
                                                 {1, 2},
                                                 {2, 4},
                                                 {3, 4},
                                                 {4, 8},
                                                 {5, 8},
                                                 {6, 2},
                                                 {7, 4},
                                                 {9, 8},
                                                 {10, 2},
                                                 {8, 4},
                                                 {7, 4, true},
                                                 {8, 4, true}}};
  const auto place = static_cast<std::size_t>(type);
  if (place >= elements.size()) fail(CUDA_ERROR_INVALID_VALUE);  // of newer devices
  return elements[place];
}

class Words {
 public:
  void put(std::size_t at, unsigned low, std::uint64_t value) {
    words_[at] |= static_cast<std::uint32_t>(value) << low;
  }
  void write(CUtensorMap* map) const { std::memcpy(map, words_.data(), sizeof words_); }

 private:
  std::array<std::uint32_t, 32> words_{};
};

void put_address(Words& words, const void* address) {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  require(number % 16 == 0);
  words.put(0, 0, number);
  words.put(1, 0, number >> 32);
}

// What both kinds of maps say of a tensor.
struct Tensor {
  CUtensorMap* map;
  CUtensorMapDataType type;
  cuuint32_t rank;
  void* address;
  const cuuint64_t *sizes, *strides;
  const cuuint32_t* steps;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

// All but the box. `channels` are its elements of dimension 0.
Words words_of(const Tensor& tensor, cuuint32_t least_rank, cuuint32_t channels) {
  constexpr std::uint64_t most_size = std::uint64_t{1} << 32, most_stride = std::uint64_t{1} << 40;
  constexpr std::uint32_t most_box = 256, most_step = 8;
  const Element element = element_of(tensor.type);
  const bool interleaved = tensor.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
  // The manual wants a map at a multiple of 64 bytes; a driver writes it anywhere (measured on an H100).
  require(tensor.rank >= (interleaved ? 3u : least_rank) && tensor.rank <= 5);
  require(tensor.sizes != nullptr && tensor.steps != nullptr &&
          (tensor.rank == 1 || tensor.strides != nullptr));
  require(tensor.interleave <= CU_TENSOR_MAP_INTERLEAVE_32B && tensor.swizzle <= CU_TENSOR_MAP_SWIZZLE_128B &&
          tensor.promotion <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B &&
          tensor.fill <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  require(tensor.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || element.number >= 6);  // of floating types
  require(channels != 0 && channels <= most_box);
  const std::uint64_t row = std::uint64_t{channels} * element.bytes;
  require(interleaved || row % 16 == 0);
  require(interleaved || tensor.swizzle == CU_TENSOR_MAP_SWIZZLE_NONE || row <= 16ull << tensor.swizzle);
  Words words;
  put_address(words, tensor.address);
  words.put(2, 4, tensor.rank - 1);
  words.put(2, 7, element.number);
  words.put(2, 11, tensor.interleave);
  words.put(2, 13, tensor.swizzle);
  words.put(2, 15, tensor.fill);
  words.put(2, 16, element.tf32);
  words.put(2, 17, tensor.promotion);
  for (std::uint32_t d = 0; d < tensor.rank; ++d) {
    require(tensor.sizes[d] != 0 && tensor.sizes[d] <= most_size && tensor.steps[d] != 0 &&
            tensor.steps[d] <= most_step);
    words.put(8 + d, 0, tensor.sizes[d] - 1);
    words.put(13, 3 * d, tensor.steps[d] - 1);
    if (d == 0) continue;
    const std::uint64_t stride = tensor.strides[d - 1];
    require(stride % (tensor.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16) == 0 &&
            stride < most_stride);
    words.put(2 + d, 0, stride >> 4);
    words.put(7, 4 * (d - 1), stride >> 36);
  }
  words.put(13, 24, channels - 1);
  return words;
}

}  // namespace

void cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                            const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                            const cuuint32_t* steps, CUtensorMapInterleave interleave,
                            CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                            CUtensorMapFloatOOBfill fill) {
  constexpr std::uint32_t most_box = 256;
  require(box != nullptr);
  Words words = words_of(
      {map, type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill}, 1, box[0]);
  for (std::uint32_t d = 1; d < rank; ++d) {
    require(box[d] != 0 && box[d] <= most_box);
    words.put(14, 8 * (d - 1), box[d] - 1);
  }
  words.write(map);
}

// Columns of pixels: corners are of the dimensions between that of channels and that of images.
void cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                             const cuuint64_t* sizes, const cuuint64_t* strides, const int* lower,
                             const int* upper, cuuint32_t channels, cuuint32_t pixels,
                             const cuuint32_t* steps, CUtensorMapInterleave interleave,
                             CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                             CUtensorMapFloatOOBfill fill) {
  constexpr std::uint32_t most_pixels = 1024;
  require(lower != nullptr && upper != nullptr && pixels != 0 && pixels <= most_pixels);
  Words words = words_of(
      {map, type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill}, 3, channels);
  const unsigned width = rank == 3 ? 16 : rank == 4 ? 8 : 5;  // bits of a corner
  const int limit = 1 << (width - 1);
  const auto corner = [&](int value) {
    require(value >= -limit && value < limit);
    return static_cast<std::uint32_t>(value) & ((1u << width) - 1);
  };
  for (std::uint32_t d = 0; d + 2 < rank; ++d) {
    words.put(14, d * width, corner(lower[d]));
    words.put(14, 16 + d * width, corner(upper[d]));
  }
  words.put(2, 0, 1);
  words.put(15, 0, pixels - 1);
  words.write(map);
}

void cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  require(map != nullptr && number % 16 == 0 && number != 0);
  std::memcpy(map, &number, sizeof number);
}

}  // namespace wedjat::live::calls
