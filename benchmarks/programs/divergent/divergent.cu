// Loops whose length differs from lane to lane: Collatz sequences in integers, the Mandelbrot set in floats.
#include <cmath>

#include "common/program.h"

__host__ __device__ int collatz_steps(unsigned long long value) {
  int steps = 0;
  while (value != 1) {
    if (value % 2 == 0) {
      value /= 2;
    } else {
      value = 3 * value + 1;
    }
    ++steps;
  }
  return steps;
}

__host__ __device__ int mandelbrot_steps(float cx, float cy, int limit) {
  float x = 0.0f, y = 0.0f;
  int steps = 0;
  while (steps < limit && fmaf(x, x, y * y) <= 4.0f) {
    const float next = fmaf(x, x, fmaf(-y, y, cx));
    y = fmaf(x + x, y, cy);
    x = next;
    ++steps;
  }
  return steps;
}

__host__ __device__ float coordinate(int pixel, int size, float low, float extent) {
  return fmaf(extent, static_cast<float>(pixel) / static_cast<float>(size), low);
}

__global__ void collatz(int n, int* steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) steps[i] = collatz_steps(i + 1ull);
}

__global__ void mandelbrot(int size, int limit, unsigned short* steps) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  steps[y * size + x] = static_cast<unsigned short>(
      mandelbrot_steps(coordinate(x, size, -2.0f, 2.5f), coordinate(y, size, -1.25f, 2.5f), limit));
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 20000);
  const int size = program::argument(argc, argv, 2, 160);
  const int limit = 200;
  program::DeviceArray<int> collatz_result(n);
  program::DeviceArray<unsigned short> mandelbrot_result(static_cast<std::size_t>(size) * size);
  collatz<<<program::blocks_for(n, 128), 128>>>(n, collatz_result);
  CHECK_LAUNCH();
  const dim3 block(32, 4), grid(program::blocks_for(size, 32), program::blocks_for(size, 4));
  mandelbrot<<<grid, block>>>(size, limit, mandelbrot_result);
  CHECK_LAUNCH();

  std::vector<int> expected_collatz;
  for (int i = 0; i < n; ++i) expected_collatz.push_back(collatz_steps(i + 1ull));
  std::vector<unsigned short> expected_mandelbrot;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      expected_mandelbrot.push_back(static_cast<unsigned short>(
          mandelbrot_steps(coordinate(x, size, -2.0f, 2.5f), coordinate(y, size, -1.25f, 2.5f), limit)));
    }
  }
  const bool collatz_agrees = program::equal_bits("collatz", collatz_result.to_host(), expected_collatz);
  const bool mandelbrot_agrees =
      program::equal_bits("mandelbrot", mandelbrot_result.to_host(), expected_mandelbrot);
  return program::verdict("divergent", collatz_agrees && mandelbrot_agrees);
}
