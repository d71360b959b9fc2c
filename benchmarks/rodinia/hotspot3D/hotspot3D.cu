// Temperatures of a stack of chip layers: a seven-point stencil, each thread walking up one column with the
// values below, here and above in registers.
#include <utility>

#include "common/program.h"

constexpr float kAmbient = 80.0f;

struct Weights {
  float ce, cw, cn, cs, ct, cb, cc, step_div_cap;
};

__global__ void step(const float* power, const float* t_in, float* t_out, int nx, int ny, int nz, Weights k) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y;
  if (i >= nx || j >= ny) return;
  int c = i + j * nx;
  const int xy = nx * ny;
  const int w = i == 0 ? 0 : -1, e = i == nx - 1 ? 0 : 1, n = j == 0 ? 0 : -nx, s = j == ny - 1 ? 0 : nx;
  float temp1, temp2, temp3;
  temp1 = temp2 = t_in[c];
  temp3 = t_in[c + xy];
  t_out[c] = k.cc * temp2 + k.cw * t_in[c + w] + k.ce * t_in[c + e] + k.cs * t_in[c + s] +
             k.cn * t_in[c + n] + k.cb * temp1 + k.ct * temp3 + k.step_div_cap * power[c] + k.ct * kAmbient;
  c += xy;
  for (int layer = 1; layer < nz - 1; ++layer) {
    temp1 = temp2;
    temp2 = temp3;
    temp3 = t_in[c + xy];
    t_out[c] = k.cc * temp2 + k.cw * t_in[c + w] + k.ce * t_in[c + e] + k.cs * t_in[c + s] +
               k.cn * t_in[c + n] + k.cb * temp1 + k.ct * temp3 + k.step_div_cap * power[c] + k.ct * kAmbient;
    c += xy;
  }
  temp1 = temp2;
  temp2 = temp3;
  t_out[c] = k.cc * temp2 + k.cw * t_in[c + w] + k.ce * t_in[c + e] + k.cs * t_in[c + s] +
             k.cn * t_in[c + n] + k.cb * temp1 + k.ct * temp3 + k.step_div_cap * power[c] + k.ct * kAmbient;
}

// Weights of the neighbours sum, with the own one and the ambient's, to 1.
static Weights weights() {
  Weights k{};
  k.cn = k.cs = 0.0321f;
  k.ce = k.cw = 0.0297f;
  k.ct = k.cb = 0.0113f;
  k.cc = 1.0f - (2.0f * k.cn + 2.0f * k.ce + 3.0f * k.ct);
  k.step_div_cap = 0.347f;
  return k;
}

static std::vector<double> host_step(int nx, int ny, int nz, const std::vector<float>& power,
                                     const std::vector<double>& old, const Weights& k) {
  const auto at = [&](int x, int y, int z) {
    x = std::clamp(x, 0, nx - 1), y = std::clamp(y, 0, ny - 1), z = std::clamp(z, 0, nz - 1);
    return (static_cast<std::size_t>(z) * ny + y) * nx + x;
  };
  std::vector<double> next(old.size());
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        next[at(x, y, z)] =
            k.cc * old[at(x, y, z)] + k.cw * old[at(x - 1, y, z)] + k.ce * old[at(x + 1, y, z)] +
            k.cs * old[at(x, y + 1, z)] + k.cn * old[at(x, y - 1, z)] + k.cb * old[at(x, y, z - 1)] +
            k.ct * old[at(x, y, z + 1)] + k.step_div_cap * power[at(x, y, z)] + k.ct * kAmbient;
  return next;
}

int main(int argc, char** argv) {
  const int size = program::size(argc, argv, 80, 512), layers = 8, steps = 10;
  const std::size_t cells = static_cast<std::size_t>(size) * size * layers;
  const auto power_host = program::random_between(0.0f, 1.0f, cells, 1);
  const auto start = program::random_between(320.0f, 345.0f, cells, 2);
  const Weights k = weights();

  program::DeviceArray<float> power(power_host), one(start), two(std::vector<float>(cells, 0.0f));
  program::DeviceArray<float>*from = &one, *to = &two;
  const dim3 block(64, 4), grid(program::blocks_for(size, 64), program::blocks_for(size, 4));
  for (int t = 0; t < steps; ++t) {
    step<<<grid, block>>>(power, *from, *to, size, size, layers, k);
    CHECK_LAUNCH();
    std::swap(from, to);
  }

  std::vector<double> expected(start.begin(), start.end());
  for (int t = 0; t < steps; ++t) expected = host_step(size, size, layers, power_host, expected, k);
  return program::verdict("hotspot3D", program::close("temperatures", from->to_host(), expected, 1e-5));
}
