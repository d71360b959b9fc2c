// Copies as boxes of bytes: rows, and planes of rows.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda_abi.h"

namespace wedjat::interposer {

struct Extent {
  std::uint64_t width = 0, height = 1, depth = 1;  // bytes, rows, planes
  std::uint64_t bytes() const { return width * height * depth; }
};

// How many bytes lie from the first byte of a box to its last; nothing where rows or planes overlap, or no
// address space has so many.
std::optional<std::uint64_t> span_of(const Extent& extent, std::uint64_t pitch, std::uint64_t plane);

struct BoxSide {
  CUmemorytype type{};
  std::uint64_t base = 0;             // address, of the host or the device
  CUarray array = nullptr;            // or the array it lies in
  std::uint64_t x = 0, y = 0, z = 0;  // bytes, rows, planes
  std::uint64_t pitch = 0, height = 0;

  std::uint64_t plane() const { return pitch * height; }
  std::uint64_t start() const { return base + z * plane() + y * pitch + x; }  // unless it is an array
};

struct CopyBox {
  BoxSide from, to;
  Extent extent;
};

CopyBox box_of(const CUDA_MEMCPY2D& copy);
CopyBox box_of(const CUDA_MEMCPY3D& copy);

}  // namespace wedjat::interposer
