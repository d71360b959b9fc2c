#include "emulator/compile/analysis/geometry.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "emulator/exec/cta/special_registers.h"
#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::compile {

namespace {

// Lanes stand side by side in rows of a block so wide, if they do so in every warp of it.
unsigned width_of(const exec::Dim3& block) {
  const bool divides = block.x == 4 || block.x == 8 || block.x == 16;
  return divides && block.y * block.z > 1 ? block.x : 32;
}

// For what is asked here any CTA will do.
struct AnyCta final : exec::CtaState {
  bool take_turn() override { return false; }
};

}  // namespace

Geometry geometry_of(const exec::Launch& launch) {
  Geometry geometry{.width = width_of(launch.block),
                    .lanes = exec::lanes_of_warp(launch.block.count()),
                    .rest = exec::lanes_of_rest(launch.block.count()),
                    .full = {},
                    .of_rest = {},
                    .any = {}};
  AnyCta cta;
  cta.launch = &launch;
  const auto threads = static_cast<std::uint32_t>(launch.block.count());
  for (std::size_t number = 0; number < std::size(kernel::special_periods); ++number) {
    if (kernel::special_periods[number] != 2) continue;
    const auto which = static_cast<kernel::SpecialRegister>(number);
    for (std::uint32_t warp = 0; warp * 32 < threads; ++warp) {
      std::array<std::uint64_t, 32> row;
      for (unsigned lane = 0; lane < 32; ++lane) row[lane] = exec::special_register(which, cta, warp, lane);
      // Where there is a part of a warp only, nobody has the other lanes.
      const Shape shape = exact(row, geometry.width, std::min(threads, 32u));
      const auto add = [&](std::map<std::uint64_t, Shape>& known) {
        const auto [place, is_new] = known.try_emplace(number, shape);
        if (!is_new) place->second = join(place->second, shape);
      };
      if (warp * 32 + 32 <= threads || threads < 32)
        add(geometry.full);
      else
        geometry.of_rest.emplace(number, exact(row, geometry.width, threads % 32));
      add(geometry.any);
    }
  }
  return geometry;
}

}  // namespace wedjat::compile
