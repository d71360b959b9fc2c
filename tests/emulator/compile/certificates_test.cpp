// What code knows of rows that other code left behind.
#include "emulator/compile/analysis/certificates.h"

#include <doctest/doctest.h>

using namespace wedjat::compile;

namespace {

constexpr Certificates::Place place{0, 3, 1};

bool accepts(const Certificates::Accepted& accepted, std::uint32_t number) { return accepted[number] != 0; }

}  // namespace

TEST_CASE("what is offered fits what is wanted, whichever comes first") {
  Certificates certificates;
  const Certificates::Shapes wanted{{64, Shape::uniform()}, {192, Shape::affine(4, std::nullopt)}};
  const Certificates::Shapes more{{64, Shape::of(7)}, {192, Shape::affine(4, 64)}, {320, Shape::vector()}};
  const std::uint32_t before = certificates.offer(place, more);
  const Certificates::Accepted& accepted = certificates.want(place, wanted);
  const std::uint32_t after = certificates.offer(place, more);
  CHECK(before != after);
  CHECK(accepts(accepted, before));
  CHECK(accepts(accepted, after));
  CHECK(!accepts(accepted, 0));
}

TEST_CASE("what says less, or something else, or leads elsewhere does not fit") {
  Certificates certificates;
  const Certificates::Accepted& accepted =
      certificates.want(place, {{64, Shape::affine(0, 8)}, {192, Shape::affine(4, 0)}});
  const Shape one = Shape::affine(0, 8), other = Shape::affine(4, 0);
  CHECK(!accepts(accepted, certificates.offer(place, {{64, one}})));
  CHECK(!accepts(accepted, certificates.offer(place, {{64, one}, {192, Shape::affine(8, 0)}})));
  CHECK(!accepts(accepted, certificates.offer(place, {{64, Shape::affine(0, std::nullopt)}, {192, other}})));
  CHECK(!accepts(accepted, certificates.offer(place, {{64, one}, {192, Shape::vector()}})));
  CHECK(!accepts(accepted, certificates.offer(place, {{64, one}, {192, Shape{}}})));
  CHECK(!accepts(accepted, certificates.offer({0, 3, 2}, {{64, one}, {192, other}})));
  CHECK(!accepts(accepted, certificates.offer({1, 3, 1}, {{64, one}, {192, other}})));
  CHECK(accepts(accepted, certificates.offer(place, {{64, one}, {192, other}})));
}

TEST_CASE("there are so many numbers, and no more") {
  Certificates certificates;
  for (std::uint32_t number = 1; number < Certificates::most; ++number)
    REQUIRE(certificates.offer(place, {}) == number);
  CHECK(certificates.offer(place, {}) == 0);
}
