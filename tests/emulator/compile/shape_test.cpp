// How values lie over the lanes.
#include "emulator/compile/analysis/shape.h"

#include <doctest/doctest.h>

#include <array>

using namespace wedjat::compile;

namespace {

template <class T, class Of>
std::array<T, 32> row_of(Of of) {
  std::array<T, 32> row;
  for (unsigned lane = 0; lane < 32; ++lane) row[lane] = static_cast<T>(of(lane));
  return row;
}

template <class T, class Of>
Shape seen(Of of, std::uint32_t mask = 0xffffffffu, unsigned width = 32) {
  const auto row = row_of<T>(of);
  return observed(reinterpret_cast<const std::byte*>(row.data()), sizeof(T), mask, width);
}

}  // namespace

TEST_CASE("what rows hold is seen as uniform, affine or a vector") {
  CHECK(seen<std::uint32_t>([](unsigned) { return 7; }).is_uniform());
  CHECK(seen<std::uint32_t>([](unsigned lane) { return 100 + 4 * lane; }) == Shape::affine(4, 0));
  CHECK(seen<std::uint32_t>([](unsigned lane) { return 0u - lane; }) == Shape::affine(-1, 0));
  CHECK(seen<std::uint32_t>([](unsigned lane) { return lane * lane; }).is_vector());
  CHECK(seen<std::uint64_t>([](unsigned lane) { return lane % 16 * 4 + lane / 16 * 4096; }, 0xffffffffu,
                            16) == Shape::affine(4, std::nullopt));
  CHECK(seen<std::uint32_t>([](unsigned lane) { return lane == 31 ? 1 : 0; }).is_vector());
  CHECK(seen<std::uint32_t>([](unsigned lane) { return lane == 31 ? 1 : 0; }, 0x7fffffffu).is_uniform());
}

TEST_CASE("predicates are uniform if the lanes of the mask agree") {
  const std::uint32_t bits[16] = {0x0000ffffu};
  const auto* row = reinterpret_cast<const std::byte*>(bits);
  CHECK(observed(row, 0, 0xffffffffu, 32).is_vector());
  CHECK(observed(row, 0, 0x0000ff00u, 32).is_uniform());
  CHECK(observed(row, 0, 0xffff0000u, 32).is_uniform());
}

TEST_CASE("sums and products of affine numbers") {
  const Shape lane = Shape::affine(1, 0), seven = Shape::of(7), some = Shape::uniform();
  CHECK(sum(lane, some, 32, 1) == Shape::affine(1, 0));
  CHECK(sum(some, lane, 32, -1) == Shape::affine(-1, 0));
  CHECK(sum(lane, lane, 32, -1).is_uniform());
  CHECK(product(lane, seven, 32) == Shape::affine(7, 0));
  CHECK(product(lane, some, 32).is_vector());  // the step is not known before it runs
  CHECK(product(Shape::affine(0, 1), some, 32) == Shape::affine(0, std::nullopt));
  CHECK(product(lane, lane, 32).is_vector());
  CHECK(product(seven, seven, 32) == Shape::of(49));
  CHECK(truncated(Shape::affine(0x1'0000'0004, 0), 32) == Shape::affine(4, 0));
  CHECK(product(Shape::affine(1 << 30, 0), Shape::of(4), 32) == Shape::affine(0, 0));  // wraps around
}

TEST_CASE("what holds for two shapes") {
  CHECK(join(Shape{}, Shape::affine(4, 0)) == Shape::affine(4, 0));
  CHECK(join(Shape::of(1), Shape::of(2)) == Shape::uniform());
  CHECK(join(Shape::of(1), Shape::of(1)) == Shape::of(1));
  CHECK(join(Shape::affine(4, 0), Shape::affine(8, 0)).is_vector());
  CHECK(join(Shape::affine(4, 16), Shape::affine(4, 32)) == Shape::affine(4, std::nullopt));
  CHECK(join(Shape::uniform(), Shape::vector()).is_vector());
}

TEST_CASE("steps are seen where only some lanes take part, if two of them are neighbours") {
  const auto lane4 = [](unsigned lane) { return 100 + 4 * lane; };
  CHECK(seen<std::uint32_t>(lane4, 0x0000ffff) == Shape::affine(4, 0));
  CHECK(seen<std::uint64_t>(lane4, 0xfffffffe) == Shape::affine(4, 0));
  CHECK(seen<std::uint32_t>(lane4, 0x55555555).is_vector());  // no two are neighbours
  CHECK(seen<std::uint32_t>(lane4, 0x00000100).is_uniform());
  const auto pitched = [](unsigned lane) { return 4 * (lane % 16) + 4096 * (lane / 16); };
  CHECK(seen<std::uint32_t>(pitched, 0xfffefffe, 16) == Shape::affine(4, 4096));
  CHECK(seen<std::uint32_t>(pitched, 0x0000fffe, 16) == Shape::affine(4, 0));
  CHECK(seen<std::uint32_t>([](unsigned lane) { return lane * lane; }, 0x0000fffe).is_vector());
}
