// Boxes of tensors for the tensor copies among the rows: maps as cuTensorMapEncodeTiled and
// cuTensorMapEncodeIm2col write them (layout: emulator/exec/tensor/tensor_map.h), places, and what lies in
// memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/emulator/hardware/forms/form.h"

namespace wedjat::hardware_truth {

// CTAs move this many boxes each, one after the other, of at most so many bytes.
inline constexpr unsigned kBoxes = 8, kBoxBytes = 2048;
// A CTA has so many bytes of global memory.
inline constexpr unsigned kTensorBytes = kBoxes * kBoxBytes;

// One of them: the map with an address relative to the tensor's memory; where the box begins; bytes that
// arrive.
struct TensorBox {
  std::uint32_t map[32];
  std::int32_t at[5];
  std::uint16_t offset[3], unused;
  std::uint32_t bytes, padding;
};
static_assert(sizeof(TensorBox) == 164);

// What a copy needs of its boxes.
struct TensorUse {
  unsigned rank = 1;
  bool im2col = false;
  bool offsets = false;   // of pixels
  bool writes = false;    // to the tensor: not from below 0 on, nor with corners outside
  std::string reduction;  // "add"; empty: a plain copy
};

// kBlocks * kBoxes of them; the same use has the same boxes.
std::vector<TensorBox> make_boxes(const TensorUse& use);

// kBlocks * kTensorBytes: numbers near to each other, any bits, corners of the float types.
std::vector<std::byte> make_tensor_memory();

}  // namespace wedjat::hardware_truth
