// Lines, sectors and bank passes of one access against counting them one by one.
#include "emulator/hooks/running/memory_metrics.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

using namespace wedjat::hooks;

namespace {

using Addresses = std::array<std::uint64_t, 32>;

std::uint64_t counted(const Addresses& address, std::uint32_t mask, std::uint32_t bytes, unsigned shift) {
  std::set<std::uint64_t> units;
  for (unsigned l = 0; l < 32; ++l)
    for (std::uint64_t b = 0; (mask >> l & 1) && b < bytes; ++b) units.insert((address[l] + b) >> shift);
  return units.size();
}

std::uint64_t counted_passes(const Addresses& address, std::uint32_t mask, std::uint32_t bytes) {
  std::uint64_t passes = 0;
  const unsigned together = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  for (unsigned first = 0; first < 32; first += together) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by bank
    std::size_t most = 0;
    for (unsigned l = first; l < first + together; ++l)
      for (std::uint64_t b = 0; (mask >> l & 1) && b < bytes; ++b) {
        const std::uint64_t word = (address[l] + b) / 4;
        words[word % 32].insert(word);
        most = std::max(most, words[word % 32].size());
      }
    passes += most;
  }
  return passes;
}

}  // namespace

TEST_CASE("footprints of warps of every shape") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    const std::uint32_t bytes = 1u << random() % 5;
    const std::uint32_t mask =
        random() % 3 ? ~0u : static_cast<std::uint32_t>(random()) & static_cast<std::uint32_t>(random());
    const std::uint64_t base = 0x7f0000000000 + random() % 4096 / bytes * bytes;
    const std::uint64_t span = std::uint64_t{bytes} << random() % 20, stride = random() % 9 * bytes;
    const unsigned width = 1u << random() % 6;
    Addresses address;
    for (unsigned l = 0; l < 32; ++l) switch (round % 5) {
        case 0:  // a run, a point, or strided
          address[l] = base + l * stride;
          break;
        case 1:  // rows of a tile
          address[l] = base + l % width * bytes + l / width * span;
          break;
        case 2:  // anywhere
          address[l] = base + random() % span / bytes * bytes;
          break;
        case 3:  // backwards
          address[l] = base + (31 - l) * stride;
          break;
        default:  // not aligned
          address[l] = base + random() % 300;
      }
    INFO("round ", round, " bytes ", bytes, " mask ", mask);
    const Footprint footprint(address.data(), mask, bytes);
    REQUIRE(footprint.units<7>() == counted(address, mask, bytes, 7));
    REQUIRE(footprint.units<5>() == counted(address, mask, bytes, 5));
    if (round % 5 != 4)
      REQUIRE(bank_passes(address.data(), mask, bytes) == counted_passes(address, mask, bytes));
  }
}

TEST_CASE("footprints of lanes that access different sizes") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    const auto mask = static_cast<std::uint32_t>(random());
    Addresses address;
    std::array<std::uint32_t, 32> bytes;
    std::set<std::uint64_t> lines, sectors;
    std::uint64_t sum = 0;
    for (unsigned l = 0; l < 32; ++l) {
      address[l] = 0x7f0000000000 + random() % 3000;
      bytes[l] = static_cast<std::uint32_t>(random() % 4 * (random() % 200));
      for (std::uint64_t b = 0; (mask >> l & 1) && b < bytes[l]; ++b)
        lines.insert((address[l] + b) >> 7), sectors.insert((address[l] + b) >> 5);
      sum += mask >> l & 1 ? bytes[l] : 0;
    }
    REQUIRE(sized_units(address.data(), mask, bytes.data(), 7) == lines.size());
    REQUIRE(sized_units(address.data(), mask, bytes.data(), 5) == sectors.size());
    REQUIRE(sum_of(bytes.data(), mask) == sum);
  }
}
