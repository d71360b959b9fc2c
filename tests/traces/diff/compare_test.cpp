#include "traces/diff/compare.h"

#include <doctest/doctest.h>

#include <vector>

using namespace wedjat::traces;

namespace {

template <class T>
std::span<const std::byte> bytes(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

TEST_CASE("equal bytes are the same") {
  const std::vector<float> a{1, 2, 3};
  const auto difference = compare(bytes(a), bytes(a));
  CHECK(difference.same());
  CHECK(difference.bytes == 12);
}

TEST_CASE("the first differing float is shown with its distance") {
  std::vector<float> expected(64, 1.5f), got = expected;
  got[10] = 1.5000001192092896f;  // next float up
  const auto difference = compare(bytes(expected), bytes(got));
  CHECK(difference.element == Element::f32);
  CHECK(difference.differing_bytes == 1);
  CHECK(difference.first_offset == 40);
  CHECK(difference.element_offset == 40);
  CHECK(difference.expected == "1.5 (0x3fc00000)");
  CHECK(difference.got == "1.5000001 (0x3fc00001)");
  CHECK(difference.largest_ulps == 1);
}

TEST_CASE("a distance across zero counts the values between") {
  std::vector<float> expected(16, 1.0f), got = expected;
  expected[3] = -0.0f;
  got[3] = 0.0f;
  CHECK(compare(bytes(expected), bytes(got)).largest_ulps == 0);
  CHECK(compare(bytes(expected), bytes(got)).differing_bytes == 1);
}

TEST_CASE("element types are told apart by their values") {
  CHECK(likely_element(bytes(std::vector<float>(100, 3.25f))) == Element::f32);
  CHECK(likely_element(bytes(std::vector<double>{0.1, 0.2, 1 / 3.0, 4.7})) == Element::f64);
  CHECK(likely_element(bytes(std::vector<double>(10, 2.0))) == Element::f64);
  CHECK(likely_element(bytes(std::vector<int>{1, 2, -3, 1000})) == Element::i32);
  CHECK(likely_element(bytes(std::vector<char>{1, 2, 3})) == Element::u8);
}

TEST_CASE("every differing byte is counted") {
  const std::vector<int> expected{0, 0, 0}, got{0x01010101, 0, 0x100};
  const auto difference = compare(bytes(expected), bytes(got));
  CHECK(difference.differing_bytes == 5);
  CHECK(difference.differing_elements == 2);
  CHECK(difference.largest_ulps == 0x01010101);
}
