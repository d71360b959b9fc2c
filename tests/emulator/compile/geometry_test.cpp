// How the threads of a block lie over the lanes.
#include "emulator/compile/analysis/geometry.h"

#include <doctest/doctest.h>

#include "emulator/kernel/lowered/kernel.h"
#include "emulator/memory/device_memory.h"
#include "special_register.h"

using namespace wedjat;
using compile::Geometry;
using compile::Shape;
using kernel::SpecialRegister;

namespace {

Geometry of_block(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) {
  static const auto kernel = std::make_shared<kernel::Kernel>();
  static memory::DeviceMemory memory;
  return compile::geometry_of({.kernel = *kernel, .block = {x, y, z}, .parameters = {}, .memory = memory});
}

const Shape& at(const std::map<std::uint64_t, Shape>& known, SpecialRegister which) {
  return known.at(static_cast<std::uint64_t>(which));
}

}  // namespace

TEST_CASE("a row of threads steps by one") {
  const Geometry geometry = of_block(256);
  CHECK(geometry.width == 32);
  CHECK(at(geometry.any, SpecialRegister::tid_x) == Shape::affine(1, 0));
  CHECK(at(geometry.any, SpecialRegister::laneid) == Shape::affine(1, 0));
  CHECK(at(geometry.any, SpecialRegister::tid_y).is_uniform());
}

TEST_CASE("two rows of sixteen threads make a warp") {
  const Geometry geometry = of_block(16, 16);
  CHECK(geometry.width == 16);
  CHECK(at(geometry.any, SpecialRegister::tid_x) == Shape::affine(1, 0));
  CHECK(at(geometry.any, SpecialRegister::tid_y) == Shape::affine(0, 1));
  CHECK(at(geometry.any, SpecialRegister::laneid) == Shape::affine(1, 16));
}

TEST_CASE("a warp of fewer threads may step otherwise than the full ones") {
  const Geometry geometry = of_block(100);
  CHECK(at(geometry.full, SpecialRegister::tid_x) == Shape::affine(1, 0));
  CHECK(at(geometry.any, SpecialRegister::tid_x).is_vector());
}

TEST_CASE("blocks that look the same are the same, others are not") {
  CHECK(of_block(128) == of_block(256));
  CHECK(!(of_block(16, 16) == of_block(256)));
  CHECK(at(of_block(12, 12).any, SpecialRegister::tid_x).is_vector());
}

TEST_CASE("threads that do not fill a warp stand as those that do") {
  const Geometry geometry = of_block(4, 4);
  CHECK(geometry.lanes == 0xffff);
  CHECK(geometry.width == 4);
  CHECK(at(geometry.full, SpecialRegister::tid_x) == Shape::affine(1, 0));
  CHECK(at(geometry.full, SpecialRegister::tid_y) == Shape::affine(0, 1));
  CHECK(at(of_block(3).full, SpecialRegister::tid_x) == Shape::affine(1, 0));
  CHECK(at(of_block(1).full, SpecialRegister::tid_x) == Shape::affine(0, 0));
}
