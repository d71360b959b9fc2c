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

/// A level in 1/256, cut toward zero.
inline int level_steps(float level) {
  return std::isnan(level) ? 0 : static_cast<int>(std::clamp(level, -1024.f, 1024.f) * 256);
}

/// With anisotropy less lies between levels, so that less is read: a part of 256 becomes that of 256
/// (trilinear optimisation, which a sampler may forbid).
inline int optimized(unsigned anisotropy, int part) {
  const int steeper = anisotropy < 4   ? part * 3 / 2 - 63
                      : anisotropy < 8 ? (part * 7 - 378) >> 2
                                       : part * 2 - 128;
  return std::clamp(steeper, 0, 256);
}

/// Of a level in 1/256. Bias and bounds are cut likewise; without linear mip filtering the nearest level,
/// ties up.
inline Level level_at(const memory::Sampler& sampler, unsigned levels, int level) {
  constexpr float largest_bias = 15;  // what the driver keeps of it
  const int last = 256 * (static_cast<int>(levels) - 1);
  const int low = std::clamp(level_steps(sampler.min_level), 0, last);
  const int high = std::clamp(level_steps(sampler.max_level), 0, last);
  const int biased = level + level_steps(std::min(sampler.mip_bias, largest_bias));
  int chosen = std::min(std::max(biased, low), high);
  if (sampler.mip_filter == memory::Filter::point)
    chosen = (chosen + 128) & ~255;
  else if (sampler.max_anisotropy > 1)
    chosen = (chosen & ~255) + optimized(sampler.max_anisotropy, chosen & 255);
  return {static_cast<unsigned>(chosen) >> 8, static_cast<unsigned>(chosen) & 255};
}

}  // namespace wedjat::exec
