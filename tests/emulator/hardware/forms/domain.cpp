#include "tests/emulator/hardware/forms/domain.h"

#include <algorithm>
#include <cmath>

namespace wedjat::hardware_truth {
namespace {

constexpr std::uint64_t mask(unsigned bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

std::vector<std::uint64_t> integer_corners(unsigned bits) {
  const std::uint64_t top = 1ull << (bits - 1);
  std::vector<std::uint64_t> values{0,
                                    1,
                                    2,
                                    3,
                                    ~0ull,
                                    ~1ull,
                                    top,
                                    top - 1,
                                    top + 1,
                                    top - 2,
                                    0x5555555555555555,
                                    0xaaaaaaaaaaaaaaaa,
                                    1ull << (bits / 2),
                                    mask(bits / 2),
                                    7,
                                    10};
  for (unsigned power = 2; power < bits; ++power) {
    for (const std::uint64_t value : {(1ull << power) - 1, 1ull << power, (1ull << power) + 1}) {
      values.push_back(value);
      values.push_back(~value);
    }
  }
  for (std::uint64_t& value : values) value &= mask(bits);
  return values;
}

// |value| truncated to the format; the largest finite value where it is too large.
std::uint64_t encode(double value, const FloatFormat& format) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  const int biased = exponent - 1 + bias;
  const std::uint64_t largest =
      mask(format.exponent_bits + format.mantissa_bits) - mask(format.mantissa_bits) - 1;
  if (biased >= (1 << format.exponent_bits) - 1) return largest;
  const int shift = static_cast<int>(format.mantissa_bits) + (biased < 1 ? biased : 1);
  const auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, shift));
  return biased < 1 ? significand
                    : (static_cast<std::uint64_t>(biased) << format.mantissa_bits |
                       (significand & mask(format.mantissa_bits)));
}

// Where conversions and roundings change their mind: ties, the limits of integers and of narrower formats.
constexpr double kThresholds[] = {0.5,
                                  1.5,
                                  2.0,
                                  2.5,
                                  3.5,
                                  127.5,
                                  128.5,
                                  255.5,
                                  256.0,
                                  32767.5,
                                  32768.5,
                                  65535.5,
                                  65536.0,
                                  0x1p23,
                                  0x1p24,
                                  0x1p31 - 0.5,
                                  0x1p31,
                                  0x1p32 - 0.5,
                                  0x1p32,
                                  0x1p52,
                                  0x1p53,
                                  0x1p63,
                                  0x1p64,
                                  448.0,
                                  464.0,
                                  57344.0,
                                  61440.0,
                                  65504.0,
                                  65520.0,
                                  0x1.fep127,
                                  0x1.ffp127,
                                  0x1.fffffep127,
                                  0x1.ffffffp127,
                                  0x1p-9,
                                  0x1p-10,
                                  0x1p-14,
                                  0x1p-16,
                                  0x1p-17,
                                  0x1p-24,
                                  0x1p-25,
                                  0x1p-126,
                                  0x1p-133,
                                  0x1p-134,
                                  0x1p-149,
                                  0x1p-150,
                                  88.7,
                                  103.9,
                                  3.14159265358979,
                                  0x1p-1022,
                                  0x1p1022,
                                  0.1,
                                  10.0};

std::vector<std::uint64_t> floating_corners(const FloatFormat& format) {
  const std::uint64_t sign = 1ull << (format.bits() - 1);
  const std::uint64_t infinity = mask(format.exponent_bits) << format.mantissa_bits;
  const std::uint64_t normal = 1ull << format.mantissa_bits, quiet = normal >> 1;
  const std::uint64_t one = mask(format.exponent_bits - 1) << format.mantissa_bits;
  std::vector<std::uint64_t> values{0,
                                    sign,
                                    one,
                                    sign | one,
                                    infinity,
                                    sign | infinity,
                                    infinity | quiet,
                                    sign | infinity | 1,
                                    infinity - 1,
                                    sign | (infinity - 1),
                                    1,
                                    sign | 1,
                                    normal,
                                    sign | normal,
                                    normal - 1,
                                    one | quiet};
  const std::uint64_t magnitudes[] = {normal - 1,
                                      normal - 2,
                                      quiet,
                                      normal + 1,
                                      one - 1,
                                      one + 1,
                                      one - 2,
                                      one | quiet,
                                      infinity - 2,
                                      infinity | 1,
                                      infinity | (quiet - 1),
                                      infinity | quiet,
                                      infinity | quiet | 1,
                                      infinity | (normal - 1),
                                      infinity | quiet | (quiet >> 2)};
  for (const std::uint64_t magnitude : magnitudes) {
    values.push_back(magnitude);
    values.push_back(sign | magnitude);
  }
  for (const double threshold : kThresholds) {
    const std::uint64_t below = encode(threshold, format);
    for (const std::uint64_t magnitude : {below, below + 1, below - (below > 0 ? 1 : 0)}) {
      values.push_back(magnitude);
      values.push_back(sign | magnitude);
    }
  }
  return values;
}

std::vector<std::uint64_t> simple_corners(Domain::Kind kind, unsigned bits) {
  if (kind == Domain::Kind::predicate) return {0, 1};
  std::vector<std::uint64_t> values;
  if (kind == Domain::Kind::lane) {
    for (std::uint64_t lane = 0; lane < 32; ++lane) values.push_back((lane * 31) % 32);
    return values;
  }
  if (kind == Domain::Kind::byte_pair) {
    for (std::uint64_t byte = 0; byte < 256; ++byte) values.push_back(byte | ((byte * 37 + 11) & 0xff) << 8);
    return values;
  }
  values = {0, 1, 2, 7, 8, 15, 16, 17, 24, 31, 32, 33, 63, 64, 65, 255};
  for (std::uint64_t value = 0; value < 72; ++value) values.push_back(value);
  for (const std::uint64_t value :
       {127u, 128u, 254u, 256u, 257u, 288u, 0x10001u, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu}) {
    values.push_back(value & mask(bits));
  }
  return values;
}

// Narrows a random word to a random magnitude: positive and negative numbers of every length.
std::uint64_t random_magnitude(unsigned bits, Random& random) {
  const std::uint64_t value = random.bits() & mask(static_cast<unsigned>(random.below(bits)) + 1);
  return random.below(2) == 0 ? value : ~value + 1;
}

std::uint64_t random_float(const FloatFormat& format, Random& random) {
  // Half of them within 2^8 of 1, where sums cancel and products do not overflow; the rest with any exponent.
  const std::uint64_t bias = mask(format.exponent_bits - 1);
  const unsigned spread = format.exponent_bits > 5 ? 16 : 8;
  const std::uint64_t exponent =
      random.below(2) == 0 ? bias - spread / 2 + random.below(spread) : random.below(2 * bias + 2);
  std::uint64_t mantissa = random.bits() & mask(format.mantissa_bits);
  // Few significant bits now and then: products and quotients that are exact, or ties.
  if (random.below(4) == 0) mantissa &= ~mask(static_cast<unsigned>(random.below(format.mantissa_bits)));
  return random.below(2) << (format.bits() - 1) | exponent << format.mantissa_bits | mantissa;
}

// What random exponents seldom are: a subnormal of any length, a NaN of any payload.
std::uint64_t special_float(const FloatFormat& format, Random& random) {
  const std::uint64_t mantissa =
      random.bits() & mask(1 + static_cast<unsigned>(random.below(format.mantissa_bits)));
  const std::uint64_t exponent = random.below(2) * mask(format.exponent_bits);
  return random.below(2) << (format.bits() - 1) | exponent << format.mantissa_bits | mantissa;
}

}  // namespace

std::vector<std::uint64_t> Domain::corners() const {
  const unsigned width = pair ? bits / 2 : bits;
  std::vector<std::uint64_t> values;
  switch (kind) {
    case Kind::integer:
      values = integer_corners(width);
      break;
    case Kind::nonzero:
      values = integer_corners(width);
      values[0] = 5;
      break;
    case Kind::floating:
      values = floating_corners(format);
      break;
    default:
      return simple_corners(kind, bits);
  }
  if (!pair) return values;
  std::vector<std::uint64_t> pairs;
  for (std::size_t i = 0; i < values.size(); ++i)
    pairs.push_back(values[i] | values[(i * 7 + 3) % values.size()] << width);
  return pairs;
}

std::uint64_t Domain::random(Random& random) const {
  if (pair) {
    Domain half = *this;
    half.pair = false;
    half.bits = bits / 2;
    const std::uint64_t low = half.random(random);
    return low | half.random(random) << half.bits;
  }
  switch (kind) {
    case Kind::predicate:
      return random.below(2);
    case Kind::lane:
      return random.below(32);
    case Kind::byte_pair:
      return random.bits() & 0xffff;
    case Kind::count:
      return random.below(4) == 0 ? random.bits() & mask(bits)
                                  : random.below(random.below(3) == 0 ? 256 : 72);
    case Kind::floating:
      if (input_seed != 0 && random.below(6) == 0) return special_float(format, random);
      return random.below(4) == 0 ? random.bits() & mask(bits) : random_float(format, random);
    case Kind::integer:
      break;
    case Kind::nonzero:
      break;
  }
  const std::uint64_t value =
      (random.below(2) == 0 ? random.bits() : random_magnitude(bits, random)) & mask(bits);
  return value == 0 && kind == Kind::nonzero ? 1 : value;
}

std::uint64_t Domain::near(std::uint64_t other, Random& random) const {
  if (kind != Kind::integer && kind != Kind::nonzero && kind != Kind::floating) return this->random(random);
  std::uint64_t value = other & mask(bits);
  const std::uint64_t top = 1ull << (bits - 1);
  switch (random.below(4)) {
    case 0:
      break;
    case 1:
      value += random.below(7) - 3;
      break;
    case 2:
      value = kind == Kind::floating ? value ^ top : ~value + 1;
      break;
    default:
      value = kind == Kind::floating
                  ? value ^ (random.bits() & mask(format.mantissa_bits / 2 + 2)) ^ (random.below(2) * top)
                  : value ^ 1ull << random.below(bits);
  }
  value &= mask(bits);
  return value == 0 && kind == Kind::nonzero ? 1 : value;
}

std::uint64_t Domain::at_the_ends(std::uint64_t other, Random& random) const {
  if (kind != Kind::floating) return this->random(random);
  if (pair) {
    Domain half = *this;
    half.pair = false;
    half.bits = bits / 2;
    const std::uint64_t low = half.at_the_ends(other & mask(half.bits), random);
    return low | half.at_the_ends(other >> half.bits, random) << half.bits;
  }
  const auto top = static_cast<std::int64_t>(mask(format.exponent_bits)), bias = top >> 1,
             reach = static_cast<std::int64_t>(format.mantissa_bits) + 3,
             with = static_cast<std::int64_t>(other >> format.mantissa_bits) & top;
  const std::int64_t wanted =
      random.below(3) == 0 ? top - static_cast<std::int64_t>(random.below(4))
                           : 2 - static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(reach)));
  const std::int64_t choices[] = {wanted + bias - with, with - wanted + bias, wanted};
  const std::int64_t exponent = std::clamp<std::int64_t>(choices[random.below(3)], 0, top - 1);
  std::uint64_t mantissa = random.bits();
  if (random.below(2) == 0) mantissa = (random.below(2) == 0 ? 0 : ~0ull) ^ random.below(8);
  return random.below(2) << (format.bits() - 1) |
         static_cast<std::uint64_t>(exponent) << format.mantissa_bits |
         (mantissa & mask(format.mantissa_bits));
}

}  // namespace wedjat::hardware_truth
