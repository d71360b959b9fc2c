#include "emulator/memory/array_shape.h"

#include <algorithm>

namespace wedjat::memory {

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
