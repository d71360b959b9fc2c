// A heart muscle cell as differential equations, in single precision on either side: the membrane of Luo and
// Rudy (1991), and calmodulin binding calcium in two steps in three compartments.
#pragma once

#include <cmath>

constexpr int kMembrane = 8, kCompartments = 3,
              kStates = 3;  // calmodulin free, with two, with four calcium ions
constexpr int kEquations = kMembrane + kCompartments * kStates;
enum Variable { V, M, H, J, D, F, X, Ca };

// alpha * (1 - y) - beta * y
__host__ __device__ inline float gate(float alpha, float beta, float y) {
  return alpha * (1.0f - y) - beta * y;
}

// Rates of the membrane's variables per millisecond. `stimulus`: uA/cm2, depolarising where negative.
__host__ __device__ inline void membrane(const float* y, float stimulus, float* rate) {
  const float v = y[V];
  const float alpha_m = 0.32f * (v + 47.13f) / (1.0f - expf(-0.1f * (v + 47.13f))),
              beta_m = 0.08f * expf(-v / 11.0f);
  float alpha_h = 0.0f, alpha_j = 0.0f, beta_h, beta_j;
  if (v >= -40.0f) {
    beta_h = 1.0f / (0.13f * (1.0f + expf((v + 10.66f) / -11.1f)));
    beta_j = 0.3f * expf(-2.535e-7f * v) / (1.0f + expf(-0.1f * (v + 32.0f)));
  } else {
    alpha_h = 0.135f * expf((80.0f + v) / -6.8f);
    beta_h = 3.56f * expf(0.079f * v) + 3.1e5f * expf(0.35f * v);
    alpha_j = (-1.2714e5f * expf(0.2444f * v) - 3.474e-5f * expf(-0.04391f * v)) * (v + 37.78f) /
              (1.0f + expf(0.311f * (v + 79.23f)));
    beta_j = 0.1212f * expf(-0.01052f * v) / (1.0f + expf(-0.1378f * (v + 40.14f)));
  }
  const float i_na = 23.0f * powf(y[M], 3.0f) * y[H] * y[J] * (v - 54.4f);

  const float e_si = 7.7f - 13.0287f * logf(y[Ca]);
  const float i_si = 0.09f * y[D] * y[F] * (v - e_si);
  const float alpha_d = 0.095f * expf(-0.01f * (v - 5.0f)) / (1.0f + expf(-0.072f * (v - 5.0f)));
  const float beta_d = 0.07f * expf(-0.017f * (v + 44.0f)) / (1.0f + expf(0.05f * (v + 44.0f)));
  const float alpha_f = 0.012f * expf(-0.008f * (v + 28.0f)) / (1.0f + expf(0.15f * (v + 28.0f)));
  const float beta_f = 0.0065f * expf(-0.02f * (v + 30.0f)) / (1.0f + expf(-0.2f * (v + 30.0f)));

  const float rectified =
      v > -100.0f ? 2.837f * (expf(0.04f * (v + 77.0f)) - 1.0f) / ((v + 77.0f) * expf(0.04f * (v + 35.0f)))
                  : 1.0f;
  const float i_k = 0.282f * y[X] * rectified * (v + 77.0f);
  const float alpha_x = 0.0005f * expf(0.083f * (v + 50.0f)) / (1.0f + expf(0.057f * (v + 50.0f)));
  const float beta_x = 0.0013f * expf(-0.06f * (v + 20.0f)) / (1.0f + expf(-0.04f * (v + 20.0f)));

  const float e_k1 = -87.26f;
  const float alpha_k1 = 1.02f / (1.0f + expf(0.2385f * (v - e_k1 - 59.215f)));
  const float beta_k1 =
      (0.49124f * expf(0.08032f * (v - e_k1 + 5.476f)) + expf(0.06175f * (v - e_k1 - 594.31f))) /
      (1.0f + expf(-0.5143f * (v - e_k1 + 4.753f)));
  const float i_k1 = 0.6047f * alpha_k1 / (alpha_k1 + beta_k1) * (v - e_k1);
  const float i_kp = 0.0183f * (v - e_k1) / (1.0f + expf((7.488f - v) / 5.98f));
  const float i_b = 0.03921f * (v + 59.87f);

  rate[V] = -(i_na + i_si + i_k + i_k1 + i_kp + i_b + stimulus);
  rate[M] = gate(alpha_m, beta_m, y[M]);
  rate[H] = gate(alpha_h, beta_h, y[H]);
  rate[J] = gate(alpha_j, beta_j, y[J]);
  rate[D] = gate(alpha_d, beta_d, y[D]);
  rate[F] = gate(alpha_f, beta_f, y[F]);
  rate[X] = gate(alpha_x, beta_x, y[X]);
  rate[Ca] = -1.0e-4f * i_si + 0.07f * (1.0e-4f - y[Ca]);
}

// Rates of calmodulin where calcium is `factor` times that of the cell.
__host__ __device__ inline void calmodulin(const float* y, float calcium, float factor, float* rate) {
  const float micromolar = calcium * 1000.0f * factor;
  const float bind2 = 0.5f * powf(micromolar, 2.0f) * y[0] - 0.05f * y[1];
  const float bind4 = 0.1f * powf(micromolar, 2.0f) * y[1] - 0.4f * y[2];
  rate[0] = -bind2;
  rate[1] = bind2 - bind4;
  rate[2] = bind4;
}
