// Two-dimensional wavelet transforms of JPEG 2000 by lifting: 5/3 of integers, which is reversible, and 9/7
// of floats.
#pragma once

constexpr float kAlpha = -1.586134342f, kBeta = -0.052980118f, kGamma = 0.882911076f, kDelta = 0.443506852f,
                kScale = 1.230174105f;

struct Lifting53 {
  using Value = int;
  static constexpr int kStages = 2;
  // Stage s changes elements whose index has another parity than s.
  __host__ __device__ static Value lifted(int stage, Value left, Value own, Value right) {
    return stage == 0 ? own - ((left + right) >> 1) : own + ((left + right + 2) >> 2);
  }
  __host__ __device__ static Value scaled(bool, Value value) { return value; }
};

template <typename T>
struct Lifting97 {
  using Value = T;
  static constexpr int kStages = 4;
  __host__ __device__ static Value lifted(int stage, Value left, Value own, Value right) {
    const T weight = stage == 0 ? T(kAlpha) : stage == 1 ? T(kBeta) : stage == 2 ? T(kGamma) : T(kDelta);
    return own + weight * (left + right);
  }
  __host__ __device__ static Value scaled(bool high, Value value) {
    return high ? value * T(kScale) : value * (T(1) / T(kScale));
  }
};

// Beyond its ends a line goes on as its mirror image.
__host__ __device__ inline int mirrored(int i, int length) {
  if (i < 0) i = -i;
  return i < length ? i : 2 * (length - 1) - i;
}
