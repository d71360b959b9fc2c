#include "tests/emulator/hardware/cases/texel_inputs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <regex>
#include <set>

#include "tests/emulator/hardware/forms/kernel.h"
#include "tests/emulator/hardware/forms/random.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace wedjat::hardware_truth {
namespace {

// In [0, 1), a multiple of 2^-53.
double fraction(Random& random) { return static_cast<double>(random.bits() >> 11) * 0x1p-53; }

std::int64_t between(Random& random, std::int64_t first, std::int64_t last) {
  return first + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(last - first + 1)));
}

std::uint32_t bits(double value) {
  const auto narrow = static_cast<float>(value);
  std::uint32_t word;
  std::memcpy(&word, &narrow, sizeof(word));
  return word;
}

constexpr std::uint32_t kSpecial[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000, 0x00000000,
                                      0x00000001, 0x80000001, 0x7149f2ca, 0xf149f2ca, 0x3f800000,
                                      0x3f7fffff, 0x3f800001, 0xbf800000, 0x4f000000, 0xcf000000,
                                      0x5f000000, 0xffffffff, 0x7f7fffff, 0xff7fffff, 0x4b800000};

// Inside and around [0, extent): anywhere, at the edges, centres and 256th parts of texels.
std::uint32_t coordinate(Random& random, std::uint64_t extent, bool normalized) {
  const auto n = static_cast<std::int64_t>(extent);
  const auto texels = static_cast<double>(n);
  const std::int64_t texel = between(random, -n, 2 * n);
  double at = 0;
  switch (random.below(9)) {
    case 0:
    case 1:
      at = (fraction(random) * 3 - 1) * texels;
      break;
    case 2:
    case 3:
      at = fraction(random) * texels;
      break;
    case 4:
      at = static_cast<double>(texel);
      break;
    case 5:
      at = static_cast<double>(texel) + 0.5;
      break;
    case 6:
      at = static_cast<double>(texel) + static_cast<double>(random.below(512)) * 0x1p-9;
      break;
    case 7:
      at = static_cast<double>(texel) + static_cast<double>(random.below(1 << 12)) * 0x1p-12;
      break;
    default:
      if (random.below(3) == 0) return kSpecial[random.below(std::size(kSpecial))];
      at = fraction(random) * texels;
  }
  return bits(normalized ? at / texels : at);
}

// Of a direction: a face's inside, edges and corners.
std::uint32_t component(Random& random) {
  switch (random.below(8)) {
    case 0:
      return bits(random.below(2) != 0 ? 1.0 : -1.0);
    case 1:
      return random.below(4) != 0 ? bits(static_cast<double>(between(random, -8, 8)) / 8) : bits(0);
    case 2:
      return random.below(4) != 0 ? bits((fraction(random) * 2 - 1) * 1000)
                                  : kSpecial[random.below(std::size(kSpecial))];
    default:
      return bits(fraction(random) * 2 - 1);
  }
}

std::int64_t whole(Random& random, std::uint64_t extent, bool inside) {
  const auto n = static_cast<std::int64_t>(std::max<std::uint64_t>(extent, 1));
  if (inside || random.below(2) == 0) return between(random, 0, n - 1);
  if (random.below(12) != 0) return between(random, -4, n + 3);
  constexpr std::int32_t far[] = {
      0x7fffff, -0x7fffff, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min(),
      1 << 20,  -1};
  return far[random.below(std::size(far))];
}

std::uint32_t level(Random& random, const Scene& scene, bool integer) {
  const auto last = static_cast<std::int64_t>(scene.levels);
  if (integer)
    return static_cast<std::uint32_t>(
        between(random, random.below(4) == 0 ? -1 : 0, random.below(4) == 0 ? last : last - 1));
  switch (random.below(4)) {
    case 0:
      return bits(static_cast<double>(between(random, -2, 2 * last)) / 2);
    case 1:
      return bits(static_cast<double>(between(random, -256, 256 * last)) / 256);
    default:
      return random.below(24) == 0 ? kSpecial[random.below(std::size(kSpecial))]
                                   : bits(fraction(random) * static_cast<double>(last + 1) - 1);
  }
}

// Of a coordinate, from lane to lane.
std::uint32_t gradient(Random& random, std::uint64_t extent) {
  if (random.below(8) == 0) return bits(0);
  double step =
      static_cast<double>(1 << random.below(8)) * (random.below(3) == 0 ? 1 : 1 + fraction(random)) / 16;
  if (random.below(2) == 0) step = -step;
  return bits(step / static_cast<double>(extent));
}

// What is written: any bits, small integers, numbers about 1.
std::uint64_t data(Random& random, bool formatted) {
  const std::uint64_t any = random.bits();
  if (!formatted) return any;
  constexpr std::int64_t limits[] = {0, 127, 128, 255, 256, 32767, 32768, 65535, 65536};
  switch (random.below(8)) {
    case 0:
      return any;
    case 1:
    case 2: {
      const std::int64_t limit = limits[random.below(std::size(limits))] + between(random, -1, 1);
      return static_cast<std::uint64_t>(random.below(2) != 0 ? limit : -limit);
    }
    case 3:
      return kSpecial[random.below(std::size(kSpecial))];
    case 4:
      return bits(static_cast<double>(between(random, -300, 300)) / 255 / 2);
    case 5:
      return bits((fraction(random) * 2 - 1) * 70000);
    default:
      return bits(fraction(random) * 3 - 1.5);
  }
}

class Lanes {
 public:
  Lanes(const TexelRow& row, Random random) : row_(row), random_(random) {}

  // The values of one lane's sources; none: it has to sit out.
  std::optional<std::vector<std::uint64_t>> next(const Scene& scene,
                                                 std::set<std::array<std::int64_t, 3>>& taken) {
    scene_ = &scene;
    std::vector<std::uint64_t> values;
    if (row_.surface && !row_.geometry.empty() && !choose_place(taken)) return std::nullopt;
    for (const Meaning meaning : row_.meanings) values.push_back(value(meaning));
    return values;
  }

 private:
  std::array<std::uint64_t, 3> extents() const {
    const memory::ArrayShape& shape = scene_->shape;
    const std::uint64_t unit = row_.access == 0 ? 1 : row_.access;
    return {row_.access == 0 ? shape.width : shape.row_bytes() / unit, shape.rows(), shape.planes()};
  }

  // Where a surface is accessed, also after it went to the nearest texel: a place no other lane has, if it is
  // written.
  bool choose_place(std::set<std::array<std::int64_t, 3>>& taken) {
    const std::array<std::uint64_t, 3> extent = extents();
    for (unsigned tries = 0; tries < 64; ++tries) {
      std::array<std::int64_t, 3> nearest{};
      for (unsigned d = 0; d < 3; ++d) {
        place_[d] = whole(random_, extent[d], row_.traps);
        // Places are in units of the access.
        if (d == 0 && row_.access != 0)
          place_[0] = std::clamp<std::int64_t>(place_[0], -0x7ffffff, 0x7ffffff);
        // The hardware takes 16 bits of a layer.
        const bool layer = d == 2 && row_.geometry[0] == 'a';
        nearest[d] = std::clamp<std::int64_t>(layer ? place_[d] & 0xffff : place_[d], 0,
                                              static_cast<std::int64_t>(extent[d]) - 1);
      }
      if (!row_.stored || taken.insert(nearest).second) return true;
    }
    return false;
  }

  std::uint64_t value(Meaning meaning) {
    const memory::ArrayShape& shape = scene_->shape;
    const bool cube = row_.geometry.find("cube") != row_.geometry.npos;
    switch (meaning) {
      case Meaning::x:
      case Meaning::y:
      case Meaning::z: {
        const unsigned d = meaning == Meaning::x ? 0 : meaning == Meaning::y ? 1 : 2;
        if (row_.surface)
          return static_cast<std::uint32_t>(place_[d] * (d == 0 && row_.access != 0 ? row_.access : 1));
        if (cube) return component(random_);
        const std::uint64_t extent = d == 0 ? shape.width : d == 1 ? shape.rows() : shape.planes();
        if (row_.fetched) return static_cast<std::uint32_t>(whole(random_, extent, false));
        return coordinate(random_, extent, scene_->sampler.normalized_coordinates);
      }
      case Meaning::layer:
        if (row_.surface) return static_cast<std::uint32_t>(place_[2]);
        return static_cast<std::uint32_t>(whole(random_, shape.planes() / (cube ? 6 : 1), false));
      case Meaning::sample:
        return random_.below(2);
      case Meaning::level:
        return level(random_, *scene_, row_.fetched);
      case Meaning::gradient:
        return gradient(random_, scene_->sampler.normalized_coordinates ? shape.width : 1);
      case Meaning::offset:
        return static_cast<std::uint32_t>(between(random_, -8, 7));
      case Meaning::compared:
        return bits(fraction(random_));
      case Meaning::data:
        return data(random_, !row_.bytes);
      case Meaning::unused:
        return random_.bits();
    }
    return 0;
  }

  const TexelRow& row_;
  Random random_;
  const Scene* scene_ = nullptr;
  std::array<std::int64_t, 3> place_{};
};

std::string without_idle_words(std::string_view mnemonic) {
  static const std::regex idle(R"(\.(ca|cg|cs|cv|wb|wt|uni)\b)");
  return std::regex_replace(std::string(mnemonic), idle, "");
}

}  // namespace

std::vector<std::byte> texel_input(const fidelity::InventoryRow& row, const TexelRow& shape) {
  const std::string key = without_idle_words(row.mnemonic);
  Lanes lanes(shape, Random(XXH3_64bits(key.data(), key.size())));
  std::vector<std::byte> input(std::size_t{shape.input_bytes} * kLanes);
  std::set<std::array<std::int64_t, 3>> taken;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (lane % 32 == 0) taken.clear();
    const auto values = lanes.next(shape.scenes->scenes[lane / 32], taken);
    if (!values) continue;
    std::byte* const record = &input[lane * shape.input_bytes];
    record[shape.input_bytes - 1] = std::byte{1};
    std::size_t at = 0;
    for (std::size_t i = 0; i < values->size(); ++i) {
      const std::size_t bytes = slot_bytes(shape.shape.sources[i].type);
      at = (at + bytes - 1) / bytes * bytes;
      std::memcpy(record + at, &(*values)[i], bytes);
      at += bytes;
    }
  }
  return input;
}

}  // namespace wedjat::hardware_truth
