// The host side of a copy: rows of bytes in memory, one, two or three dimensions of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace wedjat::interposer {

struct Box {
  const std::byte* base = nullptr;
  std::size_t width = 0;  // bytes of a row
  std::size_t height = 1;
  std::size_t depth = 1;
  std::size_t row_pitch = 0;    // bytes from row to row
  std::size_t plane_pitch = 0;  // and from plane to plane

  static Box line(const void* base, std::size_t size) {
    return {static_cast<const std::byte*>(base), size, 1, 1, size, size};
  }

  bool empty() const { return base == nullptr || width == 0 || height == 0 || depth == 0; }
  // Bytes from base to behind the last byte.
  std::size_t extent() const { return (depth - 1) * plane_pitch + (height - 1) * row_pitch + width; }
  bool tight() const {
    return (height == 1 || row_pitch == width) && (depth == 1 || plane_pitch == width * height);
  }
};

// The contents without gaps: the memory itself if it has none, else a copy in `storage`.
inline std::span<const std::byte> packed(const Box& box, std::vector<std::byte>& storage) {
  const std::size_t size = box.width * box.height * box.depth;
  if (box.tight()) return {box.base, size};
  storage.resize(size);
  std::byte* to = storage.data();
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y, to += box.width) {
      std::memcpy(to, box.base + z * box.plane_pitch + y * box.row_pitch, box.width);
    }
  }
  return storage;
}

}  // namespace wedjat::interposer
