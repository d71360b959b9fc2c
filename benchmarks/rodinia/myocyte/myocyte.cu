// A heart muscle cell beats: an adaptive Runge-Kutta-Fehlberg solver on the host asks the GPU for the rates
// of all equations, one tiny launch for each of the six evaluations of a step.
#include "common/program.h"
#include "rodinia/myocyte/cell.h"

constexpr int kThreads = 32;

__constant__ float c_factors[kCompartments];

// Block 0 does the membrane, block 1 the compartments of calmodulin, one thread each.
__global__ void rates(float time, const float* y, float* rate) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) membrane(y, time < 2.0f ? -26.0f : 0.0f, rate);
  } else if (threadIdx.x < kCompartments) {
    const int first = kMembrane + threadIdx.x * kStates;
    calmodulin(y + first, y[Ca], c_factors[threadIdx.x], rate + first);
  }
}

using Values = std::vector<float>;

static const Values kFactors = {8.0f, 2.0f, 1.0f};

// One step from `time` by `step`: the fifth order result in `next`; returns its distance from the fourth
// order one, in units of what is allowed.
template <typename Rates>
static float fehlberg(float time, float step, const Values& y, Rates&& rates_at, Values& next) {
  static const float node[6] = {0.0f, 1.0f / 4, 3.0f / 8, 12.0f / 13, 1.0f, 1.0f / 2};
  static const float weight[6][5] = {{},
                                     {1.0f / 4},
                                     {3.0f / 32, 9.0f / 32},
                                     {1932.0f / 2197, -7200.0f / 2197, 7296.0f / 2197},
                                     {439.0f / 216, -8.0f, 3680.0f / 513, -845.0f / 4104},
                                     {-8.0f / 27, 2.0f, -3544.0f / 2565, 1859.0f / 4104, -11.0f / 40}};
  static const float fifth[6] = {16.0f / 135, 0.0f, 6656.0f / 12825, 28561.0f / 56430, -9.0f / 50, 2.0f / 55};
  static const float error[6] = {1.0f / 360, 0.0f, -128.0f / 4275, -2197.0f / 75240, 1.0f / 50, 2.0f / 55};
  Values k[6];
  for (int stage = 0; stage < 6; ++stage) {
    Values at = y;
    for (int i = 0; i < kEquations; ++i)
      for (int s = 0; s < stage; ++s) at[i] += step * weight[stage][s] * k[s][i];
    k[stage] = rates_at(time + node[stage] * step, at);
  }
  float worst = 0;
  next = y;
  for (int i = 0; i < kEquations; ++i) {
    float off = 0;
    for (int s = 0; s < 6; ++s) {
      next[i] += step * fifth[s] * k[s][i];
      off += step * error[s] * k[s][i];
    }
    worst = std::max(worst, std::fabs(off) / (1e-4f * std::fabs(y[i]) + 1e-6f));
  }
  return worst;
}

// From rest to `end` milliseconds. Steps grow and shrink with the error.
template <typename Rates>
static Values beat(float end, int& steps, Rates&& rates_at) {
  Values y = {-84.6f, 0.0017f, 0.9832f, 0.9895f, 0.003f, 0.99998f, 0.0057f, 1.8e-4f};
  for (int c = 0; c < kCompartments; ++c) y.insert(y.end(), {0.9f, 0.08f, 0.02f});
  float time = 0, step = 0.01f;
  for (steps = 0; time < end && steps < 1000000; ++steps) {
    step = std::min(step, end - time);
    Values next;
    const float off = fehlberg(time, step, y, rates_at, next);
    if (off <= 1.0f) {
      time += step;
      y = next;
      if (off < 0.2f) step *= 2.0f;
    } else {
      step *= 0.5f;
    }
  }
  return y;
}

int main(int argc, char** argv) {
  const auto end = static_cast<float>(program::size(argc, argv, 12, 30));
  CUDA_CHECK(cudaMemcpyToSymbol(c_factors, kFactors.data(), sizeof c_factors));
  program::DeviceArray<float> y_device(kEquations), rate_device(kEquations);
  int steps = 0, host_steps = 0;
  const Values got = beat(end, steps, [&](float time, const Values& y) {
    CUDA_CHECK(cudaMemcpy(y_device, y.data(), kEquations * sizeof(float), cudaMemcpyHostToDevice));
    rates<<<2, kThreads>>>(time, y_device, rate_device);
    CHECK_LAUNCH();
    return rate_device.to_host();
  });
  const Values expected = beat(end, host_steps, [&](float time, const Values& y) {
    Values rate(kEquations);
    membrane(y.data(), time < 2.0f ? -26.0f : 0.0f, rate.data());
    for (int c = 0; c < kCompartments; ++c) {
      const int first = kMembrane + c * kStates;
      calmodulin(&y[first], y[Ca], kFactors[c], &rate[first]);
    }
    return rate;
  });
  std::printf("%d steps, on the host %d; %g mV after %g ms\n", steps, host_steps, got[V], end);
  // Each of the two follows the solution to 1e-4 a step; the rest is what that grows to.
  bool pass = true;
  for (int i = 0; i < kEquations; ++i)
    pass &= std::fabs(got[i] - expected[i]) <= 0.01f * std::fabs(expected[i]) + 1e-3f;
  return program::verdict("myocyte", pass);
}
