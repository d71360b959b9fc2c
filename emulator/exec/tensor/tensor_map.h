// A tensor map as cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col write it (cuda.h: CUtensorMap): the
// shape of a tensor in global memory and of the box that a copy moves. Its 128 bytes are decoded from a sweep
// of 1,273 encodings on an H200:
//
//   bytes  0..7   global address
//   word 2        0 im2col | 4..6 rank - 1 | 7..10 type | 11..12 interleave | 13..14 swizzle | 15 NaN fill |
//   16 tf32 | 17..18 L2 words 3..6    bits 4..35 of the strides of dimensions 1..4; their bits 36..39 in word
//   7, 4 bits each words 8..12   sizes of dimensions 0..4, less 1 word 13       element strides less 1, 3
//   bits each | 24..31 box size of dimension 0 (channels) less 1 word 14       box sizes of dimensions 1..4
//   less 1, 8 bits each; im2col: lower corner in the low half, upper corner in the
//                 high half, one number of 16, two of 8 or three of 5 bits, signed
//   word 15       im2col: pixels less 1
//
// What copies do with them agrees with 288 boxes that an H200 moved (ranks 1 to 5, tiled and im2col,
// interleaved or not, all swizzles, types and fills).
//
// An interleaved tensor (NC/8HWC8: 16 bytes, NC/16HWC16: 32) keeps slices of channels together: dimension 0
// counts slices along W, the last but one numbers the groups of channels, of which a box has one, whatever
// its size says.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace wedjat::exec {

/// As word 2 numbers them.
enum class TensorType : std::uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f32_ftz, f64, bf16 };

struct TensorMap {
  static constexpr std::size_t bytes = 128;

  std::uint64_t address = 0;
  unsigned rank = 1;
  bool im2col = false, fill_nan = false, tf32 = false;
  TensorType type = TensorType::u8;
  unsigned interleave = 0;                        ///< 0, or the bytes of a slice of channels: 16, 32
  unsigned swizzle = 0;                           ///< 0, or the bytes of a row that are permuted: 32, 64, 128
  std::array<std::uint64_t, 5> size{}, stride{};  ///< stride in bytes; of dimension 0: an element
  std::array<std::uint32_t, 5> box{}, step{};     ///< box in elements before `step` thins it out
  std::array<std::int32_t, 3> lower{}, upper{};   ///< im2col: corners of the walked dimensions but the last
  std::uint32_t pixels = 0;

  unsigned element_bytes() const { return static_cast<unsigned>(stride[0]); }
  /// A box is copied row by row: elements of dimension 0, or a slice of channels.
  std::uint32_t row_bytes() const { return interleave != 0 ? interleave : box[0] * element_bytes(); }
  std::uint32_t row_elements() const { return row_bytes() / element_bytes(); }
  /// Elements that the tensor has along a row.
  std::uint64_t row_size() const { return interleave != 0 ? row_elements() : size[0]; }
  /// The dimensions that lead from row to row, the fastest first: all but one.
  unsigned walked(unsigned number) const { return number + (interleave == 0 || number + 2 == rank ? 1 : 0); }
  std::uint64_t step_bytes(unsigned d) const { return d == 0 && interleave != 0 ? interleave : stride[d]; }
  /// Places of the box in a walked dimension.
  std::uint32_t count(unsigned d) const { return (box[d] + step[d] - 1) / step[d]; }
  std::uint32_t rows() const;
  /// From row to row in shared memory: a permuted row takes all its bytes, however few the box fills.
  std::uint32_t pitch() const { return swizzle == 0 || interleave != 0 ? row_bytes() : swizzle; }
  /// What an out-of-bounds element is filled with: its low bits. NaN is 0x7ff7 in every 16 bits.
  std::uint64_t fill() const;
};

/// Null if no encoder makes these bytes; else `map` is what they say.
const char* decode(const std::byte* encoded, TensorMap& map);

}  // namespace wedjat::exec
