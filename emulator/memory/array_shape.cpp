#include "emulator/memory/array_shape.h"

#include <algorithm>

namespace wedjat::memory {

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

}  // namespace wedjat::memory
