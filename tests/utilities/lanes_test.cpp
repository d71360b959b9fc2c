// What functions of tools ask of the numbers of lanes.
#include "utilities/include/wedjat/lanes.h"

#include <doctest/doctest.h>

#include <array>
#include <random>

namespace {

constexpr std::uint32_t all = 0xffffffffu;

// As it is defined: each lane's blocks, one by one.
std::uint64_t by_lane(const wedjat_lanes& at, std::uint32_t bytes, unsigned shift) {
  return wedjat_scattered_blocks(&at, all, bytes, shift);
}

}  // namespace

TEST_CASE("blocks of rows of lanes are those of the lanes one by one") {
  std::mt19937_64 random(1);
  const auto pick = [&](auto... of) {
    const std::array<std::int64_t, sizeof...(of)> choices{of...};
    return choices[random() % choices.size()];
  };
  for (unsigned i = 0; i < 200'000; ++i) {
    const auto bytes = static_cast<std::uint32_t>(pick(1, 2, 4, 8, 16));
    const auto shift = static_cast<unsigned>(pick(5, 7));
    wedjat_lanes at{};
    at.width = static_cast<std::uint32_t>(pick(16, 32));
    at.step_x = pick(0, 1, 4, -4, 8, 16, -16, 31, 32, 33, 128, 131, 132, 160, -128);
    at.step_y = pick(0, 1, 64, -64, 100, 4096, -4096, std::int64_t{1} << 40);
    if (random() % 2 == 0) at.step_y = static_cast<std::int64_t>(random() % 10'000) - 5'000;
    const std::uint64_t near = random() % 8192;
    at.first = static_cast<std::uint64_t>(pick(0, 0x7f0000001000)) + near;
    // At the ends of what addresses there are, too; but no lane's own bytes go on at address 0.
    if (random() % 8 == 0) at.first = 0 - near - 64;
    bool wraps = false;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint64_t address = wedjat_lane(&at, lane);
      wraps = wraps || address + (bytes - 1) < address;
    }
    if (wraps) continue;
    CAPTURE(at.first);
    CAPTURE(at.step_x);
    CAPTURE(at.step_y);
    CAPTURE(at.width);
    CAPTURE(bytes);
    CAPTURE(shift);
    REQUIRE(wedjat_blocks(&at, all, bytes, shift) == by_lane(at, bytes, shift));
  }
}

TEST_CASE("a row of words that all lanes share is one block, two where it lies across") {
  wedjat_lanes at{.first = 0x1000, .step_x = 0, .step_y = 0, .width = 32, .each = nullptr};
  CHECK(wedjat_blocks(&at, all, 4, 7) == 1);
  at.first = 0x107e;
  CHECK(wedjat_blocks(&at, all, 4, 7) == 2);
  at = {.first = 0x1000, .step_x = 4, .step_y = 0x400, .width = 16, .each = nullptr};
  CHECK(wedjat_blocks(&at, all, 4, 7) == 2);
  CHECK(wedjat_blocks(&at, 0xffff, 4, 7) == 1);
}
