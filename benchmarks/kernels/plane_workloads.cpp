// The kernels of planes.cu.
#include <bit>
#include <cmath>

#include "benchmarks/kernels/workload.h"

namespace wedjat::benchmarks {
namespace {

// Blocks that each leave the sum of what they read.
Workload reduction(std::string name, std::uint32_t n, std::uint32_t ctas) {
  Workload w;
  w.kernel = name;
  w.name = std::move(name);
  w.ptx = "planes.ptx";
  w.config = {.grid = {ctas, 1, 1}, .block = {256, 1, 1}};
  w.scalars = {n};
  w.buffers = {std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(ctas)};
  for (std::uint32_t i = 0; i < n; ++i) w.buffers[0][i] = i * 2654435761u >> 7;
  w.result = 1;
  return w;
}

}  // namespace

Workload stencil(unsigned scale) {
  const std::uint32_t width = 1024, height = 1024 / scale;
  Workload w;
  w.name = w.kernel = "stencil";
  w.ptx = "planes.ptx";
  w.config = {.grid = {width / 32, height / 8, 1}, .block = {32, 8, 1}};
  w.scalars = {width, height};
  std::vector<std::uint32_t> plane(std::size_t{width} * height);
  for (std::size_t i = 0; i < plane.size(); ++i)
    plane[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i * 37 % 201) / 16.0f);
  w.buffers = {plane, std::vector<std::uint32_t>(plane.size())};
  w.result = 1;
  w.expected = [plane, height] {
    const auto at = [&](std::size_t i) { return std::bit_cast<float>(plane[i]); };
    std::vector<std::uint32_t> out = plane;
    for (std::size_t y = 1; y + 1 < height; ++y)
      for (std::size_t i = y * width + 1; i < (y + 1) * width - 1; ++i) {
        const float neighbours = (at(i - 1) + at(i + 1)) + (at(i - width) + at(i + width));
        out[i] = std::bit_cast<std::uint32_t>(std::fma(0.25f, std::fma(-4.0f, at(i), neighbours), at(i)));
      }
    return out;
  };
  return w;
}

Workload reduce_shuffles(unsigned scale) {
  const std::uint32_t ctas = 256 / scale;
  Workload w = reduction("reduce_shuffles", (1u << 22) / scale, ctas);
  w.expected = [in = w.buffers[0], ctas] {
    std::vector<std::uint32_t> sums(ctas);
    for (std::size_t i = 0; i < in.size(); ++i) sums[i / 256 % ctas] += in[i];
    return sums;
  };
  return w;
}

Workload reduce_shared(unsigned scale) {
  const std::uint32_t n = (1u << 22) / scale;
  Workload w = reduction("reduce_shared", n, n / 512);
  w.expected = [in = w.buffers[0]] {
    std::vector<std::uint32_t> sums(in.size() / 512);
    for (std::size_t i = 0; i < in.size(); ++i) sums[i / 512] += in[i];
    return sums;
  };
  return w;
}

}  // namespace wedjat::benchmarks
