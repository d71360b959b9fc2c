// Mip levels (CUDA programming guide, texture objects): in 1/256 of a level.
#pragma once
#include <algorithm>
#include <cmath>

#include "emulator/memory/textures.h"

namespace wedjat::exec {

/// Of two levels: the finer one and the part of 256 that the coarser one has.
struct Level {
  unsigned finer = 0, weight = 0;
};

/// Level, bias and bounds are cut to 1/256 toward zero; without linear mip filtering the nearest level, ties
/// up.
inline Level level_at(const memory::Sampler& sampler, unsigned levels, float level) {
  constexpr float largest_bias = 15;  // what the driver keeps of it
  const auto steps = [](float x) {
    return std::isnan(x) ? 0 : static_cast<int>(std::clamp(x, -1024.f, 1024.f) * 256);
  };
  const int last = 256 * (static_cast<int>(levels) - 1);
  const int low = std::clamp(steps(sampler.min_level), 0, last);
  const int high = std::clamp(steps(sampler.max_level), 0, last);
  const int biased = steps(level) + steps(std::min(sampler.mip_bias, largest_bias));
  int chosen = std::min(std::max(biased, low), high);
  if (sampler.mip_filter == memory::Filter::point) chosen = (chosen + 128) & ~255;
  return {static_cast<unsigned>(chosen) >> 8, static_cast<unsigned>(chosen) & 255};
}

}  // namespace wedjat::exec
