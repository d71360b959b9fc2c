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

}  // namespace

void cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                            const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                            const cuuint32_t* steps, CUtensorMapInterleave interleave,
                            CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                            CUtensorMapFloatOOBfill fill) {
  constexpr std::uint64_t most_size = std::uint64_t{1} << 32, most_stride = std::uint64_t{1} << 40;
  constexpr std::uint32_t most_box = 256, most_step = 8;
  const Element element = element_of(type);
  const bool interleaved = interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
  require(reinterpret_cast<std::uintptr_t>(map) % 64 == 0 && rank >= (interleaved ? 3u : 1u) && rank <= 5);
  require(sizes != nullptr && box != nullptr && steps != nullptr && (rank == 1 || strides != nullptr));
  require(interleave <= CU_TENSOR_MAP_INTERLEAVE_32B && swizzle <= CU_TENSOR_MAP_SWIZZLE_128B &&
          promotion <= CU_TENSOR_MAP_L2_PROMOTION_L2_256B &&
          fill <= CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  require(fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || element.number >= 6);  // of floating types
  const std::uint64_t row = std::uint64_t{box[0]} * element.bytes;
  require(interleaved || row % 16 == 0);
  require(interleaved || swizzle == CU_TENSOR_MAP_SWIZZLE_NONE || row <= 16ull << swizzle);
  Words words;
  put_address(words, address);
  words.put(2, 4, rank - 1);
  words.put(2, 7, element.number);
  words.put(2, 11, interleave);
  words.put(2, 13, swizzle);
  words.put(2, 15, fill);
  words.put(2, 16, element.tf32);
  words.put(2, 17, promotion);
  for (std::uint32_t d = 0; d < rank; ++d) {
    require(sizes[d] != 0 && sizes[d] <= most_size && box[d] != 0 && box[d] <= most_box && steps[d] != 0 &&
            steps[d] <= most_step);
    words.put(8 + d, 0, sizes[d] - 1);
    words.put(13, 3 * d, steps[d] - 1);
    if (d == 0) continue;
    const std::uint64_t stride = strides[d - 1];
    require(stride % (interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16) == 0 && stride < most_stride);
    words.put(2 + d, 0, stride >> 4);
    words.put(7, 4 * (d - 1), stride >> 36);
    words.put(14, 8 * (d - 1), box[d] - 1);
  }
  words.put(13, 24, box[0] - 1);
  words.write(map);
}

void cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  const auto number = reinterpret_cast<std::uint64_t>(address);
  require(reinterpret_cast<std::uintptr_t>(map) % 64 == 0 && number % 16 == 0 && number != 0);
  std::memcpy(map, &number, sizeof number);
}

}  // namespace wedjat::live::calls
