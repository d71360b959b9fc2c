// The mip level that gradients choose (tex.grad), as Hopper's texture units reckon it.
#pragma once
#include <array>
#include <cstdint>

namespace wedjat::exec {

/// How coordinates change from pixel to pixel, along up to three axes; of a cube map the direction at the
/// next pixel itself, its greatest part about 1.
using Gradient = std::array<float, 3>;
using Extents = std::array<std::uint64_t, 3>;

/// In 1/256 of a level, before bias and bounds: log2 of the longest step among x, y and their diagonals, in
/// texels of a level of `size`.
int level_of_gradients(const Gradient& x, const Gradient& y, const Extents& size);

/// The same of a cube map whose faces have `edge` texels: steps from direction `at` to its neighbours along x
/// and y.
int level_of_directions(const Gradient& at, const Gradient& x, const Gradient& y, std::uint64_t edge);

}  // namespace wedjat::exec
