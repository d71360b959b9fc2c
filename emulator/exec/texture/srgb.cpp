#include "emulator/exec/texture/srgb.h"

#include <array>
#include <cmath>

namespace wedjat::exec {

namespace {

// The first code of each range; below it steps are half as wide. The exponent of the last is 0.
constexpr std::array first_code{0, 32, 48, 64, 96, 136, 184, 248};

// IEC 61966-2-1, rounded to the nearest step of its range.
Linear rounded(unsigned code) {
  const double encoded = code / 255.0;
  const double light = encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
  unsigned range = 0;
  while (range + 1 < first_code.size() && code >= static_cast<unsigned>(first_code[range + 1])) ++range;
  const int exponent = static_cast<int>(range + 1) - static_cast<int>(first_code.size());
  return {exponent, static_cast<std::uint32_t>(std::lround(std::ldexp(light, 7 - exponent)))};
}

std::array<Linear, 256> table() {
  std::array<Linear, 256> result;
  for (unsigned code = 0; code < result.size(); ++code) result[code] = rounded(code);
  return result;
}

}  // namespace

Linear linear_of_srgb(std::uint8_t code) {
  static const std::array<Linear, 256> linear = table();
  return linear[code];
}

// IEC 61966-2-1 in singles, with a shorter exponent (measured: H200).
std::uint8_t srgb_of_linear(float light) {
  const float power = static_cast<float>(std::pow(static_cast<double>(light), double{0.41666f}));
  const float encoded = light <= 0.0031308f ? 12.92f * light : 1.055f * power - 0.055f;
  return static_cast<std::uint8_t>(std::nearbyint(encoded * 255));
}

}  // namespace wedjat::exec
