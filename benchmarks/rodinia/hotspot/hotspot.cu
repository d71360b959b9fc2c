// Temperatures of a chip from the power its parts draw: a five-point stencil, several steps a launch on a
// tile whose border shrinks by one cell a step.
#include <utility>

#include "common/program.h"

constexpr int kBlock = 16, kPyramid = 2;
constexpr float kAmbient = 80.0f;

struct Chip {
  float step_div_cap, rx_1, ry_1, rz_1;
};

__global__ void calculate_temp(int iteration, const float* power, const float* source, float* target,
                               int columns, int rows, Chip chip) {
  __shared__ float temp_on_cuda[kBlock][kBlock];
  __shared__ float power_on_cuda[kBlock][kBlock];
  __shared__ float temp_t[kBlock][kBlock];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int small_block = kBlock - iteration * 2;
  const int block_y = small_block * static_cast<int>(blockIdx.y) - iteration;
  const int block_x = small_block * static_cast<int>(blockIdx.x) - iteration;
  const int y = block_y + ty, x = block_x + tx;
  if (y >= 0 && y < rows && x >= 0 && x < columns) {
    temp_on_cuda[ty][tx] = source[columns * y + x];
    power_on_cuda[ty][tx] = power[columns * y + x];
  }
  __syncthreads();

  const int valid_y_min = block_y < 0 ? -block_y : 0, valid_x_min = block_x < 0 ? -block_x : 0;
  const int valid_y_max = block_y + kBlock - 1 > rows - 1 ? rows - 1 - block_y : kBlock - 1;
  const int valid_x_max = block_x + kBlock - 1 > columns - 1 ? columns - 1 - block_x : kBlock - 1;
  const int north = ty - 1 < valid_y_min ? valid_y_min : ty - 1,
            south = ty + 1 > valid_y_max ? valid_y_max : ty + 1;
  const int west = tx - 1 < valid_x_min ? valid_x_min : tx - 1,
            east = tx + 1 > valid_x_max ? valid_x_max : tx + 1;
  bool computed = false;
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= kBlock - i - 2 && ty >= i + 1 && ty <= kBlock - i - 2 && tx >= valid_x_min &&
        tx <= valid_x_max && ty >= valid_y_min && ty <= valid_y_max) {
      computed = true;
      temp_t[ty][tx] =
          temp_on_cuda[ty][tx] +
          chip.step_div_cap *
              (power_on_cuda[ty][tx] +
               (temp_on_cuda[south][tx] + temp_on_cuda[north][tx] - 2.0 * temp_on_cuda[ty][tx]) * chip.ry_1 +
               (temp_on_cuda[ty][east] + temp_on_cuda[ty][west] - 2.0 * temp_on_cuda[ty][tx]) * chip.rx_1 +
               (kAmbient - temp_on_cuda[ty][tx]) * chip.rz_1);
    }
    __syncthreads();
    if (i == iteration - 1) break;
    if (computed) temp_on_cuda[ty][tx] = temp_t[ty][tx];
    __syncthreads();
  }
  if (computed) target[columns * y + x] = temp_t[ty][tx];
}

// A chip of 16 mm x 16 mm x 0.5 mm of silicon, cut into size x size cells.
static Chip chip_of(int size) {
  const float height = 0.016f, thickness = 0.0005f, conductivity = 100.0f, heat = 1.75e6f, factor = 0.5f;
  const float cell = height / static_cast<float>(size);
  const float cap = factor * heat * thickness * cell * cell,
              r = cell / (2.0f * conductivity * thickness * cell);
  const float rz = thickness / (conductivity * cell * cell), slope = 3.0e6f / (factor * thickness * heat);
  return {0.001f / slope / cap, 1.0f / r, 1.0f / r, 1.0f / rz};
}

static std::vector<double> step(int size, const std::vector<double>& old, const std::vector<float>& power,
                                Chip chip) {
  const auto at = [&](int y, int x) {
    return old[static_cast<std::size_t>(std::clamp(y, 0, size - 1)) * size + std::clamp(x, 0, size - 1)];
  };
  std::vector<double> next(old.size());
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const std::size_t i = static_cast<std::size_t>(y) * size + x;
      next[i] =
          old[i] + chip.step_div_cap * (power[i] + (at(y + 1, x) + at(y - 1, x) - 2 * old[i]) * chip.ry_1 +
                                        (at(y, x + 1) + at(y, x - 1) - 2 * old[i]) * chip.rx_1 +
                                        (kAmbient - old[i]) * chip.rz_1);
    }
  return next;
}

int main(int argc, char** argv) {
  const int size = program::size(argc, argv, 192, 1024), steps = 9;
  const auto cells = static_cast<std::size_t>(size) * size;
  const auto power_host = program::random_between(0.0f, 0.01f, cells, 1);
  const auto start = program::random_between(320.0f, 345.0f, cells, 2);
  const Chip chip = chip_of(size);

  program::DeviceArray<float> power(power_host), one(start), two(start);
  program::DeviceArray<float>*from = &one, *to = &two;
  const int tiles = program::blocks_for(size, kBlock - 2 * kPyramid);
  for (int t = 0; t < steps; t += kPyramid) {
    const int iteration = std::min(kPyramid, steps - t);
    calculate_temp<<<dim3(tiles, tiles), dim3(kBlock, kBlock)>>>(iteration, power, *from, *to, size, size,
                                                                 chip);
    CHECK_LAUNCH();
    std::swap(from, to);
  }

  std::vector<double> expected(start.begin(), start.end());
  for (int t = 0; t < steps; ++t) expected = step(size, expected, power_host, chip);
  return program::verdict("hotspot", program::close("temperatures", from->to_host(), expected, 1e-5));
}
