// A CUDA array: texels in an order of ours, which no program can see. Kept row by row, without gaps.
#pragma once
#include <cstddef>
#include <cstdint>

#include "emulator/memory/device_memory.h"

namespace wedjat::memory {

/// Of one channel of a texel (CUarray_format).
enum class ChannelFormat : std::uint8_t { u8, u16, u32, s8, s16, s32, f16, f32 };
unsigned bytes_of(ChannelFormat format);

/// As CUDA_ARRAY3D_DESCRIPTOR: extents that an array does not have are 0.
struct ArrayShape {
  std::uint64_t width = 0, height = 0;  ///< texels
  std::uint64_t depth = 0;  ///< planes; of a layered array: layers; of a cube map: faces (6 a cube)
  ChannelFormat format = ChannelFormat::u8;
  unsigned channels = 1;  ///< 1, 2 or 4
  bool layered = false, cubemap = false;

  unsigned texel_bytes() const { return bytes_of(format) * channels; }
  std::uint64_t row_bytes() const { return width * texel_bytes(); }
  std::uint64_t rows() const { return height ? height : 1; }
  std::uint64_t planes() const { return depth ? depth : 1; }
  std::uint64_t bytes() const { return row_bytes() * rows() * planes(); }
  /// Of mip level `level`: extents halve, layers stay.
  ArrayShape at_level(unsigned level) const;
};

class Array {
 public:
  /// Zeroed, in `memory`, which must outlive it. Throws Error, also for an extent of 0 or one that is absurd.
  Array(DeviceMemory& memory, const ArrayShape& shape);
  ~Array();
  Array(const Array&) = delete;

  const ArrayShape& shape() const { return shape_; }
  std::byte* data() const { return data_; }
  /// Of the first texel.
  std::uint64_t address() const { return address_; }
  /// The texel at x, y and plane z, which must lie inside.
  std::byte* texel(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    return data() + row_offset(y, z) + x * shape_.texel_bytes();
  }
  /// Bytes before row y of plane z.
  std::uint64_t row_offset(std::uint64_t y, std::uint64_t z) const {
    return (z * shape_.rows() + y) * shape_.row_bytes();
  }

 private:
  ArrayShape shape_;
  DeviceMemory& memory_;
  std::uint64_t address_;
  std::byte* data_;
};

}  // namespace wedjat::memory
