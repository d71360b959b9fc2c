// Registers of all lanes against the elements that their table says, of every width.
#include "emulator/exec/matrix/fragment.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace wedjat::exec;

// Elements of a lane lie 7 apart, as nothing in PTX does.
template <std::uint32_t parts>
constexpr auto odd_places = matrix::places<parts>([](std::uint32_t element, std::uint32_t lane) {
  return (element * 32 + lane) * 7 % (32 * parts);
});

template <std::uint32_t parts, std::uint32_t width, class Word, class Element>
void check_gather() {
  std::mt19937 random(parts * width);
  std::vector<Word> row(32);
  for (Word& word : row) word = static_cast<Word>(random() * 0x100000001ull ^ random());
  std::vector<Element> to(32 * parts);
  matrix::gather<parts, width>(row.data(), odd_places<parts>.data(), to.data());
  for (std::uint32_t part = 0; part < parts; ++part)
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      Element expected = 0;
      for (std::uint32_t bit = 0; bit < width; ++bit)
        if (row[lane] >> (part * width + bit) & 1)
          expected = static_cast<Element>(expected | Element(1) << bit);
      if (std::is_signed_v<Element> && width < 8 * sizeof(Element) && expected >> (width - 1) & 1)
        expected = static_cast<Element>(expected - (1 << width));
      REQUIRE(to[(part * 32 + lane) * 7 % (32 * parts)] == expected);
    }
}

template <std::uint32_t parts, class Part, class Word, class Element>
void check_scatter() {
  std::vector<Element> from(32 * parts);
  std::mt19937 random(parts);
  for (Element& element : from) element = static_cast<Element>(random());
  std::vector<Word> row(32, Word(-1));
  matrix::scatter<parts, Part>(from.data(), odd_places<parts>.data(), row.data());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    Word expected = 0;
    for (std::uint32_t part = 0; part < parts; ++part)
      expected = static_cast<Word>(
          expected | static_cast<Word>(static_cast<Part>(from[(part * 32 + lane) * 7 % (32 * parts)]))
                         << (part * sizeof(Part) * 8));
    REQUIRE(row[lane] == expected);
  }
}

}  // namespace

TEST_CASE("elements of registers come to their places in a matrix") {
  check_gather<4, 8, std::uint32_t, std::uint8_t>();
  check_gather<4, 8, std::uint32_t, std::int8_t>();
  check_gather<8, 4, std::uint32_t, std::uint8_t>();
  check_gather<8, 4, std::uint32_t, std::int8_t>();
  check_gather<32, 1, std::uint32_t, std::uint8_t>();
  check_gather<2, 16, std::uint32_t, std::uint16_t>();
  check_gather<1, 32, std::uint32_t, std::int32_t>();
  check_gather<1, 64, std::uint64_t, std::uint64_t>();
}

TEST_CASE("elements of a matrix come to their places in registers") {
  check_scatter<2, std::uint16_t, std::uint32_t, std::uint16_t>();
  check_scatter<1, std::uint32_t, std::uint32_t, std::int32_t>();
  check_scatter<1, std::uint32_t, std::uint32_t, std::int64_t>();
  check_scatter<1, std::uint64_t, std::uint64_t, std::uint64_t>();
}
