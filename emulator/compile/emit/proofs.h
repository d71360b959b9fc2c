// Shapes that rows have for certain, whoever comes to a place: nobody has to look at what they hold.
#pragma once
#include <map>

#include "emulator/compile/analysis/origins.h"
#include "emulator/compile/analysis/request.h"
#include "emulator/compile/analysis/row_bytes.h"
#include "emulator/compile/lanes/lane_library.h"

namespace wedjat::compile {

/// A row whose value has one origin, a step that only computes, has the shape that this step gives to what
/// its own inputs have for certain. It does not matter when which lane did the step: its inputs were the
/// same.
class Proofs {
 public:
  Proofs(const Request& request, const Liveness& liveness, const RowBytes& bytes, LaneLibrary& lanes)
      : request_(request),
        liveness_(liveness),
        bytes_(bytes),
        lanes_(lanes),
        origins_(request.code(), liveness) {}

  /// By row, before a step of a block; vector: nothing is certain.
  std::vector<Shape> before(std::uint32_t block, std::uint32_t step);

 private:
  Shape of(std::uint32_t row, std::uint32_t origin, unsigned depth);
  Shape result(std::uint32_t step, std::uint32_t row, unsigned depth);

  const Request& request_;
  const Liveness& liveness_;
  const RowBytes& bytes_;
  LaneLibrary& lanes_;
  const Origins origins_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Shape> results_;  ///< by step and row
};

}  // namespace wedjat::compile
