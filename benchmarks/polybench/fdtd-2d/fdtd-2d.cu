// Finite differences in the time domain: an electric field (ex, ey) and a magnetic field hz on a staggered
// plane, three launches a step.
#include "polybench/common.h"

using namespace polybench;

template <int N>
__global__ void step_ey(const float* source, float* ey, const float* hz, int t) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N) {
    if (i == 0)
      ey[i * N + j] = source[t];
    else
      ey[i * N + j] = ey[i * N + j] - 0.5f * (hz[i * N + j] - hz[(i - 1) * N + j]);
  }
}

template <int N>
__global__ void step_ex(float* ex, const float* hz) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N && j > 0)
    ex[i * (N + 1) + j] = ex[i * (N + 1) + j] - 0.5f * (hz[i * N + j] - hz[i * N + (j - 1)]);
}

template <int N>
__global__ void step_hz(const float* ex, const float* ey, float* hz) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < N && j < N)
    hz[i * N + j] = hz[i * N + j] - 0.7f * (ex[i * (N + 1) + (j + 1)] - ex[i * (N + 1) + j] +
                                            ey[(i + 1) * N + j] - ey[i * N + j]);
}

template <int N>
static void reference(int steps, const std::vector<float>& source, std::vector<double>& ex,
                      std::vector<double>& ey, std::vector<double>& hz) {
  for (int t = 0; t < steps; ++t) {
    for (int i = N - 1; i >= 0; --i)
      for (int j = 0; j < N; ++j)
        ey[i * N + j] = i == 0 ? source[t] : ey[i * N + j] - 0.5 * (hz[i * N + j] - hz[(i - 1) * N + j]);
    for (int i = 0; i < N; ++i)
      for (int j = 1; j < N; ++j) ex[i * (N + 1) + j] -= 0.5 * (hz[i * N + j] - hz[i * N + j - 1]);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        hz[i * N + j] -= double(0.7f) * (ex[i * (N + 1) + j + 1] - ex[i * (N + 1) + j] + ey[(i + 1) * N + j] -
                                         ey[i * N + j]);
  }
}

template <int N, int STEPS>
bool run() {
  const auto source_host = program::random_floats(STEPS, 1), ex_host = program::random_floats(N * (N + 1), 2),
             ey_host = program::random_floats((N + 1) * N, 3), hz_host = program::random_floats(N * N, 4);
  DeviceArray<float> source(source_host), ex(ex_host), ey(ey_host), hz(hz_host);
  for (int t = 0; t < STEPS; ++t) {
    step_ey<N><<<plane_grid(N, N), plane_block()>>>(source, ey, hz, t);
    CHECK_LAUNCH();
    step_ex<N><<<plane_grid(N, N), plane_block()>>>(ex, hz);
    CHECK_LAUNCH();
    step_hz<N><<<plane_grid(N, N), plane_block()>>>(ex, ey, hz);
    CHECK_LAUNCH();
  }

  auto wide_ex = widened(ex_host), wide_ey = widened(ey_host), wide_hz = widened(hz_host);
  reference<N>(STEPS, source_host, wide_ex, wide_ey, wide_hz);
  return program::close("hz", hz.to_host(), wide_hz, 1e-4);
}

int main(int argc, char** argv) {
  return program::verdict("fdtd-2d", program::large(argc, argv) ? run<1024, 200>() : run<112, 20>());
}
