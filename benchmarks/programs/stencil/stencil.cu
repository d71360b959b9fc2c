// Heat in a plane: a five-point stencil with a halo in shared memory, several steps between two buffers.
#include <cmath>
#include <utility>

#include "common/program.h"

constexpr int kTile = 16;

__host__ __device__ float heat(float center, float north, float south, float west, float east) {
  const float neighbours = (north + south) + (west + east);
  return fmaf(0.2f, fmaf(-4.0f, center, neighbours), center);
}

// Cells outside the plane are at temperature 0.
__global__ void step(int width, int height, const float* in, float* out) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const auto at = [&](int column, int row) {
    return column >= 0 && column < width && row >= 0 && row < height ? in[row * width + column] : 0.0f;
  };
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  tile[ty][tx] = at(x, y);
  if (threadIdx.x == 0) tile[ty][0] = at(x - 1, y);
  if (threadIdx.x == kTile - 1) tile[ty][kTile + 1] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][tx] = at(x, y - 1);
  if (threadIdx.y == kTile - 1) tile[kTile + 1][tx] = at(x, y + 1);
  __syncthreads();
  if (x < width && y < height) {
    out[y * width + x] =
        heat(tile[ty][tx], tile[ty - 1][tx], tile[ty + 1][tx], tile[ty][tx - 1], tile[ty][tx + 1]);
  }
}

static std::vector<float> host_step(int width, int height, const std::vector<float>& in) {
  const auto at = [&](int x, int y) {
    return x >= 0 && x < width && y >= 0 && y < height ? in[static_cast<std::size_t>(y) * width + x] : 0.0f;
  };
  std::vector<float> out(in.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      out[static_cast<std::size_t>(y) * width + x] =
          heat(at(x, y), at(x, y - 1), at(x, y + 1), at(x - 1, y), at(x + 1, y));
    }
  }
  return out;
}

int main(int argc, char** argv) {
  const int width = program::argument(argc, argv, 1, 250);
  const int steps = program::argument(argc, argv, 2, 10);
  const int height = (width * 4 + 4) / 5;
  std::vector<float> expected = program::random_floats(static_cast<std::size_t>(width) * height, 7);

  program::DeviceArray<float> first(expected), second(expected.size());
  program::DeviceArray<float>*in = &first, *out = &second;
  const dim3 block(kTile, kTile), grid(program::blocks_for(width, kTile), program::blocks_for(height, kTile));
  for (int i = 0; i < steps; ++i) {
    step<<<grid, block>>>(width, height, *in, *out);
    CHECK_LAUNCH();
    std::swap(in, out);
    expected = host_step(width, height, expected);
  }
  return program::verdict("stencil", program::equal_bits("temperatures", in->to_host(), expected));
}
