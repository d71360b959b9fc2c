// Channels in sRGB as an H200 turns them into linear light (red, green and blue; alpha is linear).
#pragma once
#include <cstdint>

namespace wedjat::exec {

/// significand 2^(exponent - 7). Steps are equal within a range of codes, so the significand may be small.
struct Linear {
  int exponent = 0;
  std::uint32_t significand = 0;  ///< at most 255
};

Linear linear_of_srgb(std::uint8_t code);

/// The code that a border colour in 0..1 becomes.
std::uint8_t srgb_of_linear(float light);

}  // namespace wedjat::exec
