// A CUDA array: texels in an order of ours, which no program can see. Kept row by row, without gaps.
#pragma once
#include <cstddef>
#include <cstdint>

#include "emulator/memory/array_shape.h"
#include "emulator/memory/device_memory.h"

namespace wedjat::memory {

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
