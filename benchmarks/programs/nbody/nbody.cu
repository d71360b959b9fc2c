// Bodies that attract each other by gravity and repel each other by a screened force, in a field that
// oscillates. Uses the special functions that people write: rsqrtf, __expf, sinf, cosf, and double precision
// for the energy.
#include <algorithm>
#include <cmath>

#include "common/program.h"

constexpr int kTile = 64;
constexpr float kSoftening = 0.05f, kScreening = 1.5f, kTimeStep = 0.01f;

// Arguments of sinf and cosf far from 0: the slow path of the argument reduction runs for some bodies.
__host__ __device__ float phase(int body, int step) { return 1000.0f * body + 40.0f * step; }

__global__ void accelerate(int n, int step, const float4* __restrict__ bodies,
                           float3* __restrict__ accelerations) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 self = i < n ? bodies[i] : float4{0, 0, 0, 0};
  float3 sum{0, 0, 0};
  for (int base = 0; base < n; base += kTile) {
    const int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : float4{0, 0, 0, 0};
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
      const float square = dx * dx + dy * dy + dz * dz + kSoftening;
      const float inverse = rsqrtf(square);
      const float repulsion = __expf(-kScreening * square * inverse);
      const float force = other.w * (1.0f - repulsion) * inverse * inverse * inverse;
      sum.x += force * dx;
      sum.y += force * dy;
      sum.z += force * dz;
    }
    __syncthreads();
  }
  if (i >= n) return;
  sum.x += 0.1f * sinf(phase(i, step));
  sum.y += 0.1f * cosf(phase(i, step));
  accelerations[i] = sum;
}

__global__ void move(int n, const float3* accelerations, float3* velocities, float4* bodies) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 a = accelerations[i];
  float3 v = velocities[i];
  v = {fmaf(kTimeStep, a.x, v.x), fmaf(kTimeStep, a.y, v.y), fmaf(kTimeStep, a.z, v.z)};
  velocities[i] = v;
  float4 p = bodies[i];
  p = {fmaf(kTimeStep, v.x, p.x), fmaf(kTimeStep, v.y, p.y), fmaf(kTimeStep, v.z, p.z), p.w};
  bodies[i] = p;
}

// Each body's kinetic energy and its potential in the field of the heaviest point, the origin.
__global__ void energy(int n, const float4* bodies, const float3* velocities, double* energies) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = bodies[i].x, y = bodies[i].y, z = bodies[i].z, mass = bodies[i].w;
  const double vx = velocities[i].x, vy = velocities[i].y, vz = velocities[i].z;
  const double distance = sqrt(fma(x, x, fma(y, y, fma(z, z, 0.01))));
  const double speed = fma(vx, vx, fma(vy, vy, vz * vz));
  energies[i] = mass * fma(0.5, speed, -1.0 / distance);
}

struct Body {
  double position[3], velocity[3], mass;
};

static void host_step(std::vector<Body>& bodies, int step) {
  std::vector<Body> next = bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double sum[3] = {0, 0, 0};
    for (const Body& other : bodies) {
      double d[3], square = kSoftening;
      for (int axis = 0; axis < 3; ++axis) {
        d[axis] = other.position[axis] - bodies[i].position[axis];
        square += d[axis] * d[axis];
      }
      const double distance = std::sqrt(square);
      const double force = other.mass * (1.0 - std::exp(-kScreening * distance)) / (distance * square);
      for (int axis = 0; axis < 3; ++axis) sum[axis] += force * d[axis];
    }
    sum[0] += 0.1 * std::sin(static_cast<double>(phase(static_cast<int>(i), step)));
    sum[1] += 0.1 * std::cos(static_cast<double>(phase(static_cast<int>(i), step)));
    for (int axis = 0; axis < 3; ++axis) {
      next[i].velocity[axis] += kTimeStep * sum[axis];
      next[i].position[axis] += kTimeStep * next[i].velocity[axis];
    }
  }
  bodies = next;
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 500);
  const int steps = program::argument(argc, argv, 2, 4);
  program::Random random(11);
  std::vector<float4> start(n);
  std::vector<Body> host(n);
  for (int i = 0; i < n; ++i) {
    start[i] = {random.unit(), random.unit(), random.unit(), (random.unit() + 1.5f) / n};
    host[i] = {{start[i].x, start[i].y, start[i].z}, {0, 0, 0}, start[i].w};
  }

  program::DeviceArray<float4> bodies(start);
  program::DeviceArray<float3> velocities(n), accelerations(n);
  program::DeviceArray<double> energies(n);
  CUDA_CHECK(cudaMemset(velocities, 0, n * sizeof(float3)));
  const int grid = program::blocks_for(n, kTile);
  for (int step = 0; step < steps; ++step) {
    accelerate<<<grid, kTile>>>(n, step, bodies, accelerations);
    CHECK_LAUNCH();
    move<<<grid, kTile>>>(n, accelerations, velocities, bodies);
    CHECK_LAUNCH();
    host_step(host, step);
  }
  energy<<<grid, kTile>>>(n, bodies, velocities, energies);
  CHECK_LAUNCH();

  std::vector<float> got, expected;
  std::vector<double> expected_energies;
  for (const float4& body : bodies.to_host()) got.insert(got.end(), {body.x, body.y, body.z});
  for (const Body& body : host) {
    const double *p = body.position, *v = body.velocity;
    for (int axis = 0; axis < 3; ++axis) expected.push_back(static_cast<float>(p[axis]));
    const double speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const double distance = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + 0.01);
    expected_energies.push_back(body.mass * (0.5 * speed - 1.0 / distance));
  }
  // The host computes in double: the device's floats and approximations may move a body by a few rounding
  // errors.
  const bool positions_agree =
      program::agree("positions", got, expected, [](float a, float b) { return std::fabs(a - b) <= 2e-6f; });
  const bool energies_agree =
      program::agree("energies", energies.to_host(), expected_energies,
                     [](double a, double b) { return std::fabs(a - b) <= 1e-4 * std::fabs(b); });
  return program::verdict("nbody", positions_agree && energies_agree);
}
