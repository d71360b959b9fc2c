#include "emulator/exec/texture/blend.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "emulator/exec/texture/srgb.h"

namespace wedjat::exec {

using memory::ArrayShape;
using memory::ChannelFormat;

namespace {

using Patterns = std::array<std::uint32_t, 4>;  // of a plane's texels, one channel

// Floats of `significant` bits are summed in fixed point: exact but for what lies `guard` bits below the
// greatest texel of a plane, which is cut off. Planes meet two at a time, with what is there already, at an
// exponent that is a multiple of 4 and one, in two's complement. The sum is rounded to nearest, ties away
// from zero.
struct Term {
  int exponent;
  std::int64_t significand;  // in 2^(exponent - 23); 0: the exponent does not count
};
struct Floats {
  int significant, guard;
  std::uint32_t nan;
  Term (*term)(std::uint32_t pattern);
};

Term of_single(std::uint32_t single) {
  const int field = static_cast<int>(single >> 23 & 255);
  const std::int64_t magnitude = field == 0 ? 0 : (single & 0x7fffff) | 0x800000;  // subnormals are flushed
  return {field - 127, single >> 31 ? -magnitude : magnitude};
}
Term of_srgb(std::uint32_t code) {
  const Linear light = linear_of_srgb(static_cast<std::uint8_t>(code));
  return {light.exponent, std::int64_t{light.significand} << 16};
}

constexpr Floats singles{24, 27, 0x7fffffff, of_single};
constexpr Floats halves{11, 14, 0x7fffe000, of_single};
constexpr Floats srgb_codes{11, 7, 0, of_srgb};  // no bits are kept below those of the greatest

struct PlaneSum {
  std::int64_t sum = 0;  // in 2^(exponent - guard - 8)
  int exponent = std::numeric_limits<int>::min();
};

struct Special {
  bool nan = false, positive = false, negative = false;  // an infinity
  bool all_minus = true;                                 // no term has sign +

  void see(std::uint32_t single) {
    const bool minus = single >> 31;
    all_minus = all_minus && minus;
    if ((single & 0x7fffffff) > 0x7f800000) nan = true;
    if ((single & 0x7fffffff) == 0x7f800000) (minus ? negative : positive) = true;
  }
};

int width_of(std::uint64_t magnitude) { return static_cast<int>(std::bit_width(magnitude)); }

PlaneSum plane_sum(const Floats& format, const Plane& plane, const Patterns& texel) {
  PlaneSum result;
  std::array<Term, 4> terms{};
  for (unsigned i = 0; i < plane.size(); ++i) {
    if (plane[i].weight == 0) continue;
    terms[i] = format.term(texel[i]);
    if (terms[i].significand != 0) result.exponent = std::max(result.exponent, terms[i].exponent);
  }
  for (unsigned i = 0; i < plane.size(); ++i) {
    if (terms[i].significand == 0) continue;
    const int down = result.exponent - terms[i].exponent + 23 - format.guard;
    const std::int64_t magnitude = std::abs(terms[i].significand);
    const std::int64_t aligned = down < 0 ? magnitude << -down : down < 32 ? magnitude >> down : 0;
    const std::int64_t product = aligned * plane[i].weight;
    result.sum += terms[i].significand < 0 ? -product : product;
  }
  return result;
}

// sum 2^unit as a single; results below the least normal number are zero.
std::uint32_t rounded(const Floats& format, std::int64_t sum, int unit) {
  const std::uint32_t sign = sum < 0 ? 0x80000000 : 0;
  std::uint64_t magnitude = sum < 0 ? -static_cast<std::uint64_t>(sum) : static_cast<std::uint64_t>(sum);
  if (magnitude == 0) return 0;
  const int least = format.significant == 11 ? -14 : -126;
  int drop = width_of(magnitude) - format.significant;
  if (format.significant == 11) drop = std::max(drop, least - 10 - unit);  // halves below it stay
  if (drop > 63) return sign;
  if (drop > 0) magnitude = (magnitude + (std::uint64_t{1} << (drop - 1))) >> drop;
  if (drop > 0) unit += drop;
  if (magnitude == 0) return sign;
  const int exponent = unit + width_of(magnitude) - 1;
  if (exponent < -126) return sign;
  if (exponent > (format.significant == 11 ? 15 : 127)) return sign | 0x7f800000;
  const int up = 24 - width_of(magnitude);
  const auto fraction = static_cast<std::uint32_t>(up >= 0 ? magnitude << up : magnitude >> -up) & 0x7fffff;
  return sign | static_cast<std::uint32_t>(exponent + 127) << 23 | fraction;
}

// What lies below is cut off.
std::int64_t moved(std::int64_t sum, int down) {
  return down < 0 ? sum * (std::int64_t{1} << -down) : sum >> std::min(down, 63);
}

std::uint32_t sum_of_floats(const Floats& format, std::span<const Plane> planes,
                            std::span<const Patterns> texels) {
  Special special;
  std::array<PlaneSum, 4> sums;
  int greatest = std::numeric_limits<int>::min();
  for (unsigned p = 0; p < planes.size(); ++p) {
    for (unsigned i = 0; i < 4; ++i)
      if (planes[p][i].texel != nullptr) special.see(texels[p][i]);
    if (special.nan || special.positive || special.negative) continue;
    sums[p] = plane_sum(format, planes[p], texels[p]);
    greatest = std::max(greatest, sums[p].exponent);
  }
  if (special.nan || (special.positive && special.negative)) return format.nan;
  if (special.positive || special.negative) return special.positive ? 0x7f800000 : 0xff800000;
  const std::uint32_t zero = special.all_minus ? 0x80000000 : 0;
  if (greatest == std::numeric_limits<int>::min()) return zero;
  const auto result = [&](std::int64_t sum, int unit) {
    return sum == 0 ? zero : rounded(format, sum, unit);
  };
  if (planes.size() == 1) return result(sums[0].sum, greatest - format.guard - 8);
  const auto unit_of = [&](int exponent) { return ((exponent - 1) & ~3) - format.guard - 7; };
  std::int64_t sum = 0;
  int exponent = std::numeric_limits<int>::min();
  for (unsigned p = 0; p < planes.size(); p += 2) {
    const unsigned end = std::min<unsigned>(p + 2, static_cast<unsigned>(planes.size()));
    const int before = exponent;
    for (unsigned i = p; i < end; ++i) exponent = std::max(exponent, sums[i].exponent);
    if (sum != 0) sum = moved(sum, unit_of(exponent) - unit_of(before));
    for (unsigned i = p; i < end; ++i)
      if (sums[i].sum != 0)
        sum += moved(sums[i].sum, unit_of(exponent) - (sums[i].exponent - format.guard - 8));
  }
  return result(sum, unit_of(exponent));
}

// In 1/256.
std::int64_t sum_of_integers(std::span<const Plane> planes, std::span<const Patterns> texels) {
  std::int64_t sum = 0;
  for (unsigned p = 0; p < planes.size(); ++p)
    for (unsigned i = 0; i < 4; ++i)
      sum += std::int64_t{static_cast<std::int32_t>(texels[p][i])} * planes[p][i].weight;  // sign extended
  return sum;
}

// Normalised integers are summed exactly, as 16 bits wide ones, and rounded to nearest, ties up.
std::uint32_t sum_of_units(ChannelFormat format, std::int64_t sum) {
  const bool is_signed = format == ChannelFormat::s8 || format == ChannelFormat::s16;
  if (format == ChannelFormat::u8) sum *= 257;
  if (format == ChannelFormat::s8) sum = sum * 258 + (sum >> 12) * 32;  // 127 becomes 32767
  const std::int64_t steps = std::max<std::int64_t>((sum + 128) >> 8, -32767);
  const double largest = is_signed ? 32767 : 65535;
  return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<double>(steps) / largest));
}

}  // namespace

Channels blend(std::span<const Plane> planes, const ArrayShape& shape, Reading reading) {
  Channels result{};
  std::array<Patterns, 4> texels{};
  const unsigned bytes = memory::bytes_of(shape.format);
  for (unsigned c = 0; c < shape.channels; ++c) {
    for (unsigned p = 0; p < planes.size(); ++p)
      for (unsigned i = 0; i < 4; ++i)
        if (planes[p][i].texel != nullptr)
          texels[p][i] = channel_pattern(planes[p][i].texel + c * bytes, shape.format);
    const std::span<const Patterns> used(texels.data(), planes.size());
    if (reading == Reading::light && c < 3)
      result[c] = sum_of_floats(srgb_codes, planes, used);
    else if (shape.format == ChannelFormat::f32 || shape.format == ChannelFormat::f16)
      result[c] = sum_of_floats(shape.format == ChannelFormat::f32 ? singles : halves, planes, used);
    else if (reading == Reading::integers)
      result[c] = static_cast<std::uint32_t>((sum_of_integers(planes, used) + 128) >> 8);
    else
      result[c] = sum_of_units(shape.format, sum_of_integers(planes, used));
  }
  return result;
}

}  // namespace wedjat::exec
