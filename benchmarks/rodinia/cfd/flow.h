// The physics of a cell, in single precision for the GPU and in double for the host's check: the compressible
// Euler equations for an ideal gas.
#pragma once

#include <cmath>

constexpr int kVariables = 5, kFaces = 4;          // density, momentum (3), energy density; faces of a cell
constexpr int kWing = -1, kFarField = -2;          // what a face may lie at instead of another cell
constexpr float kGamma = 1.4f, kSmoothing = 0.2f;  // heat capacity ratio; weight of the artificial viscosity

template <typename T>
struct Triple {
  T x, y, z;
};

// What a cell holds, and what follows from it.
template <typename T>
struct State {
  T density;
  Triple<T> momentum;
  T energy;
  Triple<T> velocity;
  T speed_sqd, pressure, speed_of_sound;
};

// The flux of each momentum component and of energy, per unit of area along x, y and z. That of density is
// momentum.
template <typename T>
struct Fluxes {
  Triple<T> momentum_x, momentum_y, momentum_z, energy;
};

template <typename T>
struct FarField {
  T variable[kVariables];
  Triple<T> momentum;
  Fluxes<T> fluxes;
};

template <typename T>
__host__ __device__ inline State<T> state_of(const T* variables, int i, int cells) {
  State<T> s;
  s.density = variables[i + 0 * cells];
  s.momentum = {variables[i + 1 * cells], variables[i + 2 * cells], variables[i + 3 * cells]};
  s.energy = variables[i + 4 * cells];
  s.velocity = {s.momentum.x / s.density, s.momentum.y / s.density, s.momentum.z / s.density};
  s.speed_sqd = s.velocity.x * s.velocity.x + s.velocity.y * s.velocity.y + s.velocity.z * s.velocity.z;
  s.pressure = (T(kGamma) - T(1)) * (s.energy - T(0.5) * s.density * s.speed_sqd);
  s.speed_of_sound = sqrt(T(kGamma) * s.pressure / s.density);
  return s;
}

template <typename T>
__host__ __device__ inline Fluxes<T> fluxes_of(const State<T>& s) {
  Fluxes<T> f;
  f.momentum_x.x = s.velocity.x * s.momentum.x + s.pressure;
  f.momentum_x.y = s.velocity.x * s.momentum.y;
  f.momentum_x.z = s.velocity.x * s.momentum.z;
  f.momentum_y.x = f.momentum_x.y;
  f.momentum_y.y = s.velocity.y * s.momentum.y + s.pressure;
  f.momentum_y.z = s.velocity.y * s.momentum.z;
  f.momentum_z.x = f.momentum_x.z;
  f.momentum_z.y = f.momentum_y.z;
  f.momentum_z.z = s.velocity.z * s.momentum.z + s.pressure;
  const T total = s.energy + s.pressure;
  f.energy = {s.velocity.x * total, s.velocity.y * total, s.velocity.z * total};
  return f;
}

// Adds factor * (a + b) to the five fluxes of a cell.
template <typename T>
__host__ __device__ inline void exchange(T* flux, T factor, const Triple<T>& momentum_a,
                                         const Triple<T>& momentum_b, const Fluxes<T>& a, const Fluxes<T>& b,
                                         T Triple<T>::*axis) {
  flux[0] += factor * (momentum_a.*axis + momentum_b.*axis);
  flux[1] += factor * (a.momentum_x.*axis + b.momentum_x.*axis);
  flux[2] += factor * (a.momentum_y.*axis + b.momentum_y.*axis);
  flux[3] += factor * (a.momentum_z.*axis + b.momentum_z.*axis);
  flux[4] += factor * (a.energy.*axis + b.energy.*axis);
}

// The sum of what flows through the faces of cell i. `normals` holds x of all faces of all cells, then y,
// then z.
template <typename T>
__host__ __device__ inline void cell_flux(int i, int cells, const int* neighbours, const T* normals,
                                          const T* variables, const FarField<T>& far, T* flux) {
  const State<T> own = state_of(variables, i, cells);
  const Fluxes<T> own_fluxes = fluxes_of(own);
  for (int k = 0; k < kVariables; k++) flux[k] = 0;
  for (int j = 0; j < kFaces; j++) {
    const int nb = neighbours[i + j * cells];
    const Triple<T> normal = {normals[i + (j + 0 * kFaces) * cells], normals[i + (j + 1 * kFaces) * cells],
                              normals[i + (j + 2 * kFaces) * cells]};
    const T length = sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    if (nb == kWing) {
      flux[1] += normal.x * own.pressure;
      flux[2] += normal.y * own.pressure;
      flux[3] += normal.z * own.pressure;
      continue;
    }
    if (nb == kFarField) {
      exchange(flux, T(0.5) * normal.x, far.momentum, own.momentum, far.fluxes, own_fluxes, &Triple<T>::x);
      exchange(flux, T(0.5) * normal.y, far.momentum, own.momentum, far.fluxes, own_fluxes, &Triple<T>::y);
      exchange(flux, T(0.5) * normal.z, far.momentum, own.momentum, far.fluxes, own_fluxes, &Triple<T>::z);
      continue;
    }
    const State<T> other = state_of(variables, nb, cells);
    const Fluxes<T> other_fluxes = fluxes_of(other);
    // The artificial viscosity grows with the fastest signal between the two.
    const T factor =
        -length * T(kSmoothing) * T(0.5) *
        (sqrt(own.speed_sqd) + sqrt(other.speed_sqd) + own.speed_of_sound + other.speed_of_sound);
    flux[0] += factor * (own.density - other.density);
    flux[1] += factor * (own.momentum.x - other.momentum.x);
    flux[2] += factor * (own.momentum.y - other.momentum.y);
    flux[3] += factor * (own.momentum.z - other.momentum.z);
    flux[4] += factor * (own.energy - other.energy);
    exchange(flux, T(0.5) * normal.x, other.momentum, own.momentum, other_fluxes, own_fluxes, &Triple<T>::x);
    exchange(flux, T(0.5) * normal.y, other.momentum, own.momentum, other_fluxes, own_fluxes, &Triple<T>::y);
    exchange(flux, T(0.5) * normal.z, other.momentum, own.momentum, other_fluxes, own_fluxes, &Triple<T>::z);
  }
}

template <typename T>
__host__ __device__ inline T step_factor(const State<T>& s, T area) {
  return T(0.5) / (sqrt(area) * (sqrt(s.speed_sqd) + s.speed_of_sound));
}
