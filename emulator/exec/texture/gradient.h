// The mip level that gradients choose (tex.grad), as Hopper's texture units reckon it.
#pragma once
#include <array>
#include <cstdint>

namespace wedjat::exec {

/// How coordinates along two axes change from pixel to pixel.
using Gradient = std::array<float, 2>;

/// The significant bits of a texture's size that count here.
constexpr unsigned gradient_bits = 10;

/// In 1/256 of a level, before bias and bounds: log2 of the longest step among x, y and their diagonals, in
/// texels of a level of `size`, which has at most `gradient_bits` significant bits.
int level_of_gradients(const Gradient& x, const Gradient& y, const std::array<std::uint64_t, 2>& size);

}  // namespace wedjat::exec
