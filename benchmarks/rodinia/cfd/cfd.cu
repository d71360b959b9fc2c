// Euler equations for a compressible flow over an unstructured mesh: fluxes over the four faces of every
// cell, three Runge-Kutta stages a step, the far field in constant memory.
#include "common/program.h"
#include "rodinia/cfd/flow.h"

constexpr int kBlock = 192, kStages = 3;

__constant__ FarField<float> ff;

__global__ void initialize_variables(int cells, float* variables) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= cells) return;
  for (int j = 0; j < kVariables; j++) variables[i + j * cells] = ff.variable[j];
}

__global__ void compute_step_factor(int cells, const float* variables, const float* areas,
                                    float* step_factors) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < cells) step_factors[i] = step_factor(state_of(variables, i, cells), areas[i]);
}

__global__ void compute_flux(int cells, const int* neighbours, const float* normals, const float* variables,
                             float* fluxes) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= cells) return;
  float flux[kVariables];
  cell_flux(i, cells, neighbours, normals, variables, ff, flux);
  for (int j = 0; j < kVariables; j++) fluxes[i + j * cells] = flux[j];
}

__global__ void time_step(int stage, int cells, const float* old_variables, float* variables,
                          const float* step_factors, const float* fluxes) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= cells) return;
  const float factor = step_factors[i] / static_cast<float>(kStages + 1 - stage);
  for (int j = 0; j < kVariables; j++)
    variables[i + j * cells] = old_variables[i + j * cells] + factor * fluxes[i + j * cells];
}

// Flow at Mach 1.2, 5 degrees up.
template <typename T>
static FarField<T> far_field() {
  FarField<T> far{};
  const T angle = T(5 * 3.14159265358979 / 180), density = T(1.4), pressure = T(1);
  const T speed = T(1.2) * std::sqrt(T(kGamma) * pressure / density);
  const Triple<T> velocity = {speed * std::cos(angle), speed * std::sin(angle), T(0)};
  far.variable[0] = density;
  far.variable[1] = density * velocity.x;
  far.variable[2] = density * velocity.y;
  far.variable[3] = density * velocity.z;
  far.variable[4] = density * T(0.5) * speed * speed + pressure / (T(kGamma) - 1);
  far.momentum = {far.variable[1], far.variable[2], far.variable[3]};
  far.fluxes = fluxes_of(state_of(far.variable, 0, 1));
  return far;
}

struct Mesh {
  int cells;
  std::vector<int> neighbours;
  std::vector<float> normals, areas;
};

// A plane of n x n cells with slightly bent faces, a wing along a part of one row, the far field around;
// cells are numbered in random order, as in a mesh of no structure.
static Mesh bent_mesh(int n) {
  Mesh mesh{n * n, std::vector<int>(n * n * kFaces), std::vector<float>(n * n * kFaces * 3), {}};
  program::Random random(61);
  std::vector<int> number(n * n);
  for (int i = 0; i < n * n; ++i) number[i] = i;
  for (int i = n * n - 1; i > 0; --i) std::swap(number[i], number[random.below(i + 1)]);
  // Corners between cells; the normal of a face is the line between its corners, turned.
  std::vector<float> corner(2 * (n + 1) * (n + 1));
  for (float& value : corner) value = 0.1f * random.unit();
  const auto corner_x = [&](int y, int x) { return static_cast<float>(x) + corner[2 * (y * (n + 1) + x)]; };
  const auto corner_y = [&](int y, int x) {
    return static_cast<float>(y) + corner[2 * (y * (n + 1) + x) + 1];
  };
  const auto below_wing = [&](int y, int x) { return y == n / 2 && x > n / 4 && x < n / 2; };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const int i = number[y * n + x];
      const int from[4][2] = {{y, x}, {y, x + 1}, {y + 1, x + 1}, {y + 1, x}};
      const int across[4][2] = {{y - 1, x}, {y, x + 1}, {y + 1, x}, {y, x - 1}};
      for (int j = 0; j < kFaces; ++j) {
        const int* a = from[j];
        const int* b = from[(j + 1) % 4];
        const int ny = across[j][0], nx = across[j][1];
        // Outwards is minus: what flows in counts.
        mesh.normals[i + j * mesh.cells] = -(corner_y(b[0], b[1]) - corner_y(a[0], a[1]));
        mesh.normals[i + (j + kFaces) * mesh.cells] = corner_x(b[0], b[1]) - corner_x(a[0], a[1]);
        mesh.neighbours[i + j * mesh.cells] =
            ny < 0 || nx < 0 || ny >= n || nx >= n                             ? kFarField
            : (j == 2 && below_wing(y, x)) || (j == 0 && below_wing(y - 1, x)) ? kWing
                                                                               : number[ny * n + nx];
      }
    }
  mesh.areas = program::random_between(0.9f, 1.1f, mesh.cells, 62);
  return mesh;
}

static std::vector<double> reference(const Mesh& mesh, int steps) {
  const FarField<double> far = far_field<double>();
  const int cells = mesh.cells;
  const std::vector<double> normals(mesh.normals.begin(), mesh.normals.end());
  std::vector<double> variables(cells * kVariables), factors(cells), next(variables.size());
  for (int j = 0; j < kVariables; ++j) std::fill_n(variables.begin() + j * cells, cells, far.variable[j]);
  for (int t = 0; t < steps; ++t) {
    const std::vector<double> old = variables;
    for (int i = 0; i < cells; ++i)
      factors[i] = step_factor(state_of(old.data(), i, cells), double(mesh.areas[i]));
    for (int stage = 1; stage <= kStages; ++stage) {
      for (int i = 0; i < cells; ++i) {
        double flux[kVariables];
        cell_flux(i, cells, mesh.neighbours.data(), normals.data(), variables.data(), far, flux);
        for (int j = 0; j < kVariables; ++j)
          next[i + j * cells] = old[i + j * cells] + factors[i] / (kStages + 1 - stage) * flux[j];
      }
      variables.swap(next);
    }
  }
  return variables;
}

int main(int argc, char** argv) {
  const int n = std::max(program::size(argc, argv, 40, 512), 8), steps = 6;
  const Mesh mesh = bent_mesh(n);
  const int cells = mesh.cells, blocks = program::blocks_for(cells, kBlock);
  const FarField<float> far = far_field<float>();
  CUDA_CHECK(cudaMemcpyToSymbol(ff, &far, sizeof far));
  program::DeviceArray<int> neighbours(mesh.neighbours);
  program::DeviceArray<float> normals(mesh.normals), areas(mesh.areas), step_factors(cells),
      fluxes(cells * kVariables), variables(cells * kVariables), old_variables(cells * kVariables);
  initialize_variables<<<blocks, kBlock>>>(cells, variables);
  CHECK_LAUNCH();
  for (int t = 0; t < steps; ++t) {
    CUDA_CHECK(
        cudaMemcpy(old_variables, variables, sizeof(float) * cells * kVariables, cudaMemcpyDeviceToDevice));
    compute_step_factor<<<blocks, kBlock>>>(cells, variables, areas, step_factors);
    CHECK_LAUNCH();
    for (int stage = 1; stage <= kStages; ++stage) {
      compute_flux<<<blocks, kBlock>>>(cells, neighbours, normals, variables, fluxes);
      CHECK_LAUNCH();
      time_step<<<blocks, kBlock>>>(stage, cells, old_variables, variables, step_factors, fluxes);
      CHECK_LAUNCH();
    }
  }
  return program::verdict("cfd",
                          program::close("variables", variables.to_host(), reference(mesh, steps), 1e-4));
}
