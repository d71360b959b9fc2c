#include "emulator/memory/array.h"

#include <algorithm>

namespace wedjat::memory {
namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 40;  // bytes, and texels along one extent

const ArrayShape& checked(const ArrayShape& shape) {
  if (shape.width == 0) throw Error("an array without width");
  for (const std::uint64_t extent : {shape.width, shape.height, shape.depth})
    if (extent > (std::uint64_t{1} << 32)) throw Error("an array with an absurd extent");
  if (shape.row_bytes() > most / shape.rows() / shape.planes()) throw Error("an array of an absurd size");
  return shape;
}

}  // namespace

unsigned bytes_of(ChannelFormat format) {
  switch (format) {
    case ChannelFormat::u8:
    case ChannelFormat::s8:
      return 1;
    case ChannelFormat::u16:
    case ChannelFormat::s16:
    case ChannelFormat::f16:
      return 2;
    case ChannelFormat::u32:
    case ChannelFormat::s32:
    case ChannelFormat::f32:
      return 4;
  }
  return 0;
}

ArrayShape ArrayShape::at_level(unsigned level) const {
  const auto halved = [level](std::uint64_t extent) {
    return extent ? std::max<std::uint64_t>(extent >> level, 1) : 0;
  };
  ArrayShape shape = *this;
  shape.width = halved(width);
  shape.height = halved(height);
  if (!layered && !cubemap) shape.depth = halved(depth);
  return shape;
}

Array::Array(DeviceMemory& memory, const ArrayShape& shape)
    : shape_(checked(shape)),
      memory_(memory),
      address_(memory.allocate_array(shape.bytes())),
      data_(memory.host(address_, shape.bytes(), "an array")) {}

Array::~Array() { memory_.free(address_); }

}  // namespace wedjat::memory
