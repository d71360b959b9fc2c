#include "emulator/memory/array.h"

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

Array::Array(DeviceMemory& memory, const ArrayShape& shape)
    : shape_(checked(shape)),
      memory_(memory),
      address_(memory.allocate_array(shape.bytes())),
      data_(memory.host(address_, shape.bytes(), "an array")) {}

Array::~Array() { memory_.free(address_); }

}  // namespace wedjat::memory
