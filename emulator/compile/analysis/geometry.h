// How the threads of a block lie over the lanes of its warps.
#pragma once
#include <map>

#include "emulator/compile/analysis/shape.h"
#include "emulator/exec/cta/launch.h"

namespace wedjat::compile {

struct Geometry {
  unsigned width = 32;                            ///< of the block that lanes stand in: Shape
  std::uint32_t lanes = exec::lanes_of_warp(32);  ///< of a warp
  std::uint32_t rest = 0;                         ///< exec::lanes_of_rest
  /// By number, of special registers that differ by lane and by nothing else but the warp: what holds for
  /// every warp of those lanes, for the last one if it has fewer, and for every warp.
  std::map<std::uint64_t, Shape> full, of_rest, any;

  bool operator==(const Geometry&) const = default;
};

/// Blocks of several sizes may have the same one.
Geometry geometry_of(const exec::Launch& launch);

}  // namespace wedjat::compile
