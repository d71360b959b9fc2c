// What a CUDA array is made of (CUDA driver API: CUDA_ARRAY3D_DESCRIPTOR).
#pragma once
#include <cstdint>

namespace wedjat::memory {

/// Of one channel of a texel (CUarray_format).
enum class ChannelFormat : std::uint8_t { u8, u16, u32, s8, s16, s32, f16, f32 };
constexpr unsigned bytes_of(ChannelFormat format) {
  using enum ChannelFormat;
  return format == u8 || format == s8 ? 1 : format == u16 || format == s16 || format == f16 ? 2 : 4;
}

/// As CUDA_ARRAY3D_DESCRIPTOR: extents that an array does not have are 0.
struct ArrayShape {
  std::uint64_t width = 0, height = 0;  ///< texels
  std::uint64_t depth = 0;  ///< planes; of a layered array: layers; of a cube map: faces (6 a cube)
  ChannelFormat format = ChannelFormat::u8;
  unsigned channels = 1;  ///< 1, 2 or 4
  bool layered = false, cubemap = false;
  bool normalized = false;  ///< integers of 8 and 16 bits are always numbers up to 1 (UNORM, SNORM)

  unsigned texel_bytes() const { return bytes_of(format) * channels; }
  std::uint64_t row_bytes() const { return width * texel_bytes(); }
  std::uint64_t rows() const { return height ? height : 1; }
  std::uint64_t planes() const { return depth ? depth : 1; }
  std::uint64_t bytes() const { return row_bytes() * rows() * planes(); }
  /// Of mip level `level`: extents halve, layers stay.
  ArrayShape at_level(unsigned level) const;
};

}  // namespace wedjat::memory
